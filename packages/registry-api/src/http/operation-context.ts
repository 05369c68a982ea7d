import { withoutUndefined } from "@plimsoll/core/internal";
import type { Exchange } from "@plimsoll/http";
import type { GlobalRole } from "@plimsoll/registry/access/global-role";
import type { AccountRow, ImageRepository } from "@plimsoll/registry/access/queries";
import type { NewSession } from "@plimsoll/registry/access/session";
import type { LogPlace } from "@plimsoll/registry/context";
import type { AskedList } from "@plimsoll/registry/lists/page-tokens";
import type { Origin, RegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { writeUsageLog } from "@plimsoll/registry/store/usage-log";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OperationContext, OperationRequest } from "../context.ts";
import type { Caller } from "./authenticate.ts";
import { effectiveOrigin, formatCookie, sessionCookie } from "./browser-calls.ts";
import type { ServedRegistry } from "./served-registry.ts";

/** The context of an operation, with the database or a transaction of it. */
export function operationContext(
  registry: ServedRegistry,
  { request, reply, subject, state }: Exchange<AdmittedState>,
  db: RegistryDb,
): OperationContext<LogKind> {
  const { settings, passwords, pageTokens } = registry;
  const { caller, globalRole, now } = state;
  const { principal, session } = caller;
  const called = new LazyCallerRequest(request, settings);
  return {
    ...registry,
    passwords: passwords.of(() => request.ip),
    pageTokens: state.asked === undefined ? pageTokens : { ...pageTokens, asked: state.asked },
    db,
    principal,
    globalRole,
    now,
    session,
    caller: called,
    request: called,
    log: (kind, metadata, place) =>
      writeUsageLog(db, {
        kind,
        metadata,
        ...placeOf(subject),
        ...(place && withoutUndefined(place)),
        principal,
        ip: request.ip,
        at: now,
      }),
    setHeader: (name, value) => void reply.header(name, value),
    sendSession: (begun) => sendSession(reply, effectiveOrigin(request, settings), begun),
  };
}

/** The state of the stages for an admitted caller. */
interface AdmittedState {
  readonly caller: Caller;
  readonly asked: AskedList | undefined;
  readonly globalRole: GlobalRole;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The request of an operation. Its members are computed when the operation reads them, because some are costly. */
class LazyCallerRequest implements OperationRequest {
  readonly #request: FastifyRequest;
  readonly #settings: RegistrySettings;

  constructor(request: FastifyRequest, settings: RegistrySettings) {
    this.#request = request;
    this.#settings = settings;
  }

  get origin(): Origin {
    return effectiveOrigin(this.#request, this.#settings);
  }

  get ip(): string {
    return this.#request.ip;
  }

  get userAgent(): string {
    return this.#request.headers["user-agent"] ?? "";
  }

  get headers(): OperationRequest["headers"] {
    return this.#request.headers;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** Sets the cookie of a session, or removes the browser's cookie. */
export function sendSession(
  reply: FastifyReply,
  { scheme }: Pick<Origin, "scheme">,
  session: NewSession | undefined,
): void {
  const { cookie, csrfToken, lifetimeSeconds } = session ?? { cookie: "", csrfToken: undefined, lifetimeSeconds: 0 };
  const secure = scheme === "https";
  reply.header("set-cookie", formatCookie(sessionCookie, cookie, { maxAgeSeconds: lifetimeSeconds, secure }));
  if (csrfToken !== undefined) reply.header("x-next-csrf-token", csrfToken);
}

/** The namespace or repository of entries of the usage log, from the subject of the operation. */
function placeOf(subject: unknown): LogPlace {
  const { repository, organization, account } = subject as {
    readonly repository?: ImageRepository;
    readonly organization?: AccountRow;
    readonly account?: AccountRow;
  };
  if (repository !== undefined) return { namespaceId: repository.namespace_id, repositoryId: repository.id };
  const namespaceId = organization?.id ?? account?.id;
  return { namespaceId };
}
