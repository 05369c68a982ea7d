import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { withoutUndefined } from "@plimsoll/core/internal";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import type { Feed } from "@plimsoll/core/plugins";
import { type Outbound, openOutbound, type ProxySettings, type RetryPolicy, retryClock } from "@plimsoll/outbound";
import type { OpenFeedReader } from "../update-feeds.ts";
import { parseFeedLocation, resolveUrl } from "./feed-location.ts";
import { formatHttpValidator, parseHttpValidator } from "./http-feed.ts";
import { fileDocument, openLocalFeed } from "./local-feed.ts";
import { deleteDownload, findPartialDownload } from "./partial-download.ts";

/** Options of {@link createFeedReader}. */
export interface FeedReaderOptions {
  /** `http(s)://`, `file://`, or the path of a file or folder. */
  readonly location: string;
  /** The folder for documents from the network while they are read. Default: the system's folder for temporary files. */
  readonly tempFolder?: string;
  /**
   * A folder for this feed alone, created on demand. Documents of an interrupted run stay in it, and the next run resumes them.
   * Absent: nothing is kept.
   */
  readonly downloads?: string;
  /** Called with the bytes of a document so far, and its total bytes if the server states them. */
  readonly onBytes?: (document: string, bytes: number, totalBytes?: number) => void;
  /** Never use the network. */
  readonly offline?: boolean;
  /** The proxy to use; the environment is not read. */
  readonly proxy?: ProxySettings;
  /** Sent to the configured server, but not to servers to which it redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The largest size of one document; decompressed size if the transfer is compressed. */
  readonly maxBytes?: number;
  /** The largest number of files of one folder. */
  readonly maxFiles?: number;
  readonly connectTimeoutSeconds?: number;
  /** The longest pause between two chunks. */
  readonly idleTimeoutSeconds?: number;
  /** The time limit for one document, including all attempts. */
  readonly totalTimeoutSeconds?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** The start of the run, in epoch milliseconds. Default: now. */
  readonly startedAt?: number;
  readonly signal?: AbortSignal;
}

/** The options with their defaults. */
type Settings = FeedReaderOptions & Required<Pick<FeedReaderOptions, keyof typeof defaults>>;

const defaultRetry: RetryPolicy = {
  attempts: 4,
  firstDelayMs: 1_000,
  maxDelayMs: 60_000,
  maxRetryAfterMs: 60_000,
  ...retryClock,
};

const defaults = {
  headers: {},
  maxBytes: 4 * 1024 ** 3,
  maxFiles: 1_000_000,
  connectTimeoutSeconds: 15,
  idleTimeoutSeconds: 60,
  totalTimeoutSeconds: 1_800,
  retry: {},
};

/**
 * Creates a reader of one feed from the network or the file system. Documents from the network are private temporary files; disposing
 * deletes them.
 * @throws ScanError `unsupported_source` for a location that is neither
 * @example
 * await using reader = createFeedReader({ location: "https://security-tracker.debian.org/tracker/data/json" });
 * const document = await reader.open();
 */
export function createFeedReader(options: FeedReaderOptions): OpenFeedReader {
  const settings: Settings = { ...defaults, ...withoutUndefined(options) };
  const location = parseFeedLocation(options.location);
  const resources = new AsyncDisposableStack();
  const network = new Network(settings, resources);
  return {
    startedAt: options.startedAt ?? Date.now(),
    open(name, previous) {
      if (location.kind === "http") return network.open(resolveUrl(location.url, name), previous);
      const { maxBytes, maxFiles, signal } = settings;
      const limits = { maxBytes, maxFiles, signal };
      return openLocalFeed({ base: location.path, name, previous, resources, ...limits });
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The connections and temporary files of a reader, opened with the first document. */
class Network {
  readonly #settings: Settings;
  readonly #resources: AsyncDisposableStack;
  #opened: Promise<{ readonly outbound: Outbound; readonly folder: string }> | undefined;
  /** How often each document was opened. */
  readonly #opens = new Map<string, number>();
  /** Whether a document could not be fetched completely: the documents are then kept for the next run. */
  #isInterrupted = false;

  constructor(settings: Settings, resources: AsyncDisposableStack) {
    this.#settings = settings;
    this.#resources = resources;
  }

  async open(url: URL, previous: string | undefined): Promise<Feed> {
    const { offline = false, maxBytes, headers, signal: given, totalTimeoutSeconds, onBytes } = this.#settings;
    if (offline)
      throw new ScanError(
        "feed_unreachable",
        `offline: ${withoutCredentials(url.href)} is not fetched; configure a file or a folder`,
      );
    const { fetchDocument } = await import("./http-feed.ts"); // loads HTTP only when a feed is fetched
    this.#opened ??= this.#start();
    const { outbound, folder } = await this.#opened;
    const path = join(folder, this.#nameOf(url));
    const signal = AbortSignal.any([...(given ? [given] : []), AbortSignal.timeout(totalTimeoutSeconds * 1000)]);
    const conditions = { url, previous: parseHttpValidator(previous), path, maxBytes, headers };
    try {
      const fetched = await fetchDocument({
        ...conditions,
        outbound,
        signal,
        retry: { ...defaultRetry, ...withoutUndefined(this.#settings.retry ?? {}) },
        onBytes:
          onBytes === undefined
            ? undefined
            : (bytes: number, total?: number) => onBytes(withoutCredentials(url.href), bytes, total),
      });
      if (fetched.kind === "unchanged") return fetched;
      const { sizeBytes } = fetched;
      const validator = formatHttpValidator(fetched.validator);
      return fileDocument({ path, location: withoutCredentials(url.href), validator, sizeBytes }, this.#resources);
    } catch (error) {
      if (this.#settings.downloads === undefined || (await findPartialDownload(path)) === undefined)
        await deleteDownload(path);
      this.#isInterrupted ||= !(error instanceof ScanError) || error.code === "feed_unreachable";
      if (given?.aborted)
        throw new ScanError("aborted", `fetching ${withoutCredentials(url.href)} was aborted`, { cause: error });
      if (!signal.aborted) throw error;
      throw new ScanError(
        "feed_unreachable",
        `${withoutCredentials(url.href)} took more than ${totalTimeoutSeconds} seconds`,
        {
          cause: error,
        },
      );
    }
  }

  /** The name of a document's file, the same in each run, so that a later run finds it. A document that is opened again gets another file. */
  #nameOf({ href }: URL): string {
    const opened = this.#opens.get(href) ?? 0;
    this.#opens.set(href, opened + 1);
    const name = createHash("sha256").update(href).digest("hex").slice(0, 32);
    return opened === 0 ? name : `${name}-${opened}`;
  }

  async #start() {
    const { proxy, connectTimeoutSeconds, idleTimeoutSeconds, downloads, tempFolder = tmpdir() } = this.#settings;
    const [connectMs, idleMs] = [connectTimeoutSeconds * 1000, idleTimeoutSeconds * 1000];
    const outbound = openOutbound({ policy: "trusted", proxy, connectMs, idleMs });
    this.#resources.use(outbound);
    const folder = downloads ?? (await mkdtemp(join(tempFolder, "plimsoll-feed-")));
    if (downloads !== undefined) await mkdir(downloads, { recursive: true, mode: 0o700 });
    this.#resources.defer(async () => {
      const isKept = downloads !== undefined && (this.#isInterrupted || this.#settings.signal?.aborted);
      if (!isKept) await rm(folder, { recursive: true, force: true });
    });
    return { outbound, folder };
  }
}
