import type { Server } from "node:net";
import {
  type BlobStore,
  BlobStoreError,
  type Directory,
  type IdentityProvider,
  type Mailer,
  RegistryError,
  wrapPort,
} from "@plimsoll/registry";
import { DeadlinePassed } from "@plimsoll/store";
import type { Logger } from "pino";
import type { IndexSource, ReportSource } from "../registry/image-scanner.ts";
import { isOwnFailure, noteWork, type Outage } from "./outages.ts";
import type { Outages } from "./service-parts.ts";

/** Wraps the indexer of this process to record whether it works. */
export function watchedIndexer(indexer: IndexSource, outage: Outage): IndexSource {
  return {
    state: () => indexer.state(),
    submit: (manifest, options = {}) =>
      noteWork(outage, () => indexer.submit(manifest, options), unlessAborted(options)),
    findReport: (digest, form) => noteWork(outage, () => indexer.findReport(digest, form)),
    findImages: (question, options = {}) =>
      noteWork(outage, () => indexer.findImages(question, options), unlessAborted(options)),
    deleteMany: (digests, options = {}) =>
      noteWork(outage, () => indexer.deleteMany(digests, options), unlessAborted(options)),
    list: (after) => noteWork(outage, () => indexer.list(after)),
  };
}

/** Wraps the matcher of this process to record whether it works. */
export function watchedReports(reports: ReportSource, outage: Outage): ReportSource {
  return {
    names: (asked) => noteWork(outage, () => reports.names(asked)),
    feeds: () => noteWork(outage, () => reports.feeds()),
    report: (digest, options = {}) => noteWork(outage, () => reports.report(digest, options), unlessAborted(options)),
    match: (index, options = {}) => noteWork(outage, () => reports.match(index, options), unlessAborted(options)),
  };
}

/** An aborted call is not a failure. */
function unlessAborted({ signal }: { readonly signal?: AbortSignal }): (error: unknown) => boolean {
  return (error) => signal?.aborted !== true && isOwnFailure(error);
}

/** Wraps a mailer to record whether its server accepts mail. */
export function watchedMailer(mailer: Mailer, outage: Outage): Mailer {
  return {
    send: (mail, options = {}) =>
      noteWork(
        outage,
        () => mailer.send(mail, options),
        (error) => isNotOfOneMail(error) && (isTooSlow(options) || unlessAborted(options)(error)),
      ),
  };
}

/** Whether a call was aborted because the other side took too long, and not because its result is not needed any more. */
function isTooSlow({ signal }: { readonly signal?: AbortSignal }): boolean {
  const reason: unknown = signal?.reason;
  return reason instanceof DeadlinePassed || (reason instanceof DOMException && reason.name === "TimeoutError");
}

/** A rejected message is not an outage of the server. @see https://nodemailer.com/errors */
function isNotOfOneMail(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code !== "EENVELOPE" && code !== "EMESSAGE";
}

/** Wraps a directory to record whether it answers. */
export function watchedDirectory(directory: Directory, outage: Outage): Directory {
  return wrapPort(directory, {
    listGroup: (group, options = {}) =>
      noteWork(outage, () => directory.listGroup(group, options), unlessAborted(options)),
    authenticate: (login, password, options = {}) =>
      noteWork(outage, () => directory.authenticate(login, password, options), unlessAborted(options)),
    findUsers: (names, options = {}) =>
      noteWork(outage, () => directory.findUsers(names, options), unlessAborted(options)),
  });
}

/** Wraps an identity provider to record whether it answers. */
export function watchedProvider(provider: IdentityProvider, outage: Outage): IdentityProvider {
  return {
    ...provider,
    begin: (signIn) => noteWork(outage, () => provider.begin(signIn), isNotOfOneAnswer),
    finish: (signIn, answer) => noteWork(outage, () => provider.finish(signIn, answer), isNotOfOneAnswer),
    readLogout: (token, now) => noteWork(outage, () => provider.readLogout(token, now), isNotOfOneAnswer),
  };
}

/** Codes of errors that any client can cause: the provider rejects a user, or the parameters that a browser brought back. The provider works. */
const ofOneAnswer = /^(?:OAUTH_RESPONSE_BODY_ERROR|OAUTH_AUTHORIZATION_RESPONSE_ERROR|OAUTH_INVALID_RESPONSE|ERR_J)/;

/** A provider that does not know the registry, or its secret, cannot sign in any user. */
function isNotOfOneAnswer(error: unknown): boolean {
  if (!(error instanceof RegistryError) || error.code !== "downstream_issue") return false;
  const { code, error: refusal } = (error.cause ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return refusal === "invalid_client" || typeof code !== "string" || !ofOneAnswer.test(code);
}

/** Options of {@link watchListener}. */
interface ListenerOptions {
  readonly logger: Pick<Logger, "warn" | "fatal">;
  /** The setting of the port, for the log: `port`, `healthPort`. */
  readonly setting: string;
  readonly clock: { now(): number };
  /** Called for each connection that could not be accepted. */
  readonly noteNotAccepted: () => void;
  /** Called if the port is lost, so that no connection will be accepted any more. */
  readonly onLost: (error: Error) => void;
}

/** Connections that cannot be accepted come in crowds: the log has a line in this time. */
const quietMs = 10_000;

/**
 * Watches a server for errors of accepting connections, which would end the process. If there are no more descriptors or buffers, or a
 * client has gone, later connections are accepted again. After any other error the port is lost.
 */
export function watchListener(
  server: Server,
  { logger, setting, clock, noteNotAccepted, onLost }: ListenerOptions,
): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  server.on("error", (error: NodeJS.ErrnoException) => {
    if (error.syscall !== "accept") return; // listening reports its own errors
    if (!passing.has(error.code ?? "")) {
      logger.fatal({ setting, reason: error.message }, "port_lost");
      return onLost(error);
    }
    noteNotAccepted();
    const at = clock.now();
    if (at - toldAt < quietMs) return;
    toldAt = at;
    logger.warn({ setting, reason: error.message }, "connections_not_accepted");
  });
}

/** Errors of `accept` after which a server can go on. @see https://man7.org/linux/man-pages/man2/accept.2.html#ERRORS */
const passing: ReadonlySet<string> = new Set([
  ...["EAGAIN", "ECONNABORTED", "EINTR", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EPERM"],
  // Errors of the network that Linux reports when it accepts.
  ...[
    "EHOSTDOWN",
    "EHOSTUNREACH",
    "ENETDOWN",
    "ENETUNREACH",
    "ENONET",
    "ENOPROTOOPT",
    "EOPNOTSUPP",
    "EPROTO",
    "ETIMEDOUT",
  ],
]);

type Note = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The recorded states of a blob store. */
export type BlobOutages = Pick<Outages, "blobs" | "blobSpace">;

/** Wraps a blob store to record whether it is available, and whether it has space. */
export function watchedBlobs(blobs: BlobStore, outages: BlobOutages): BlobStore {
  const note: Note = (work) => noteWork(outages.blobs, work, has("unavailable"));
  const noteWrite: Note = (work) => noteWork(outages.blobSpace, () => note(work), has("full"));
  return {
    ...blobs,
    find: (digest) => note(() => blobs.find(digest)),
    read: (digest, range, options) => noteReading(blobs.read(digest, range, options), note),
    delete: (digest) => note(() => blobs.delete(digest)),
    countReceived: (uploadId) => note(() => blobs.countReceived(uploadId)),
    append: (uploadId, source, options) => noteWrite(() => blobs.append(uploadId, source, options)),
    commit: (uploadId, digest) => noteWrite(() => blobs.commit(uploadId, digest)),
    deleteUpload: (uploadId) => note(() => blobs.deleteUpload(uploadId)),
  };
}

function has(code: BlobStoreError["code"]): (error: unknown) => boolean {
  return (error) => error instanceof BlobStoreError && error.code === code;
}

/** Records the first chunk only: after that, the store has answered. */
function noteReading(source: AsyncIterable<Uint8Array>, note: Note): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = source[Symbol.asyncIterator]();
      let isFirst = true;
      return {
        next() {
          if (!isFirst) return chunks.next();
          isFirst = false;
          return note(() => chunks.next());
        },
        return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
