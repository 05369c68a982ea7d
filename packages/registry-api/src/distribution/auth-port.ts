import type { IncomingHttpHeaders } from "node:http";
import type { Principal } from "@plimsoll/registry/access/principal";
import type { PushPlace, PushTarget } from "@plimsoll/registry/distribution/queries";
import type { RepositoryAction } from "@plimsoll/registry/distribution/repository-actions";
import type { Origin } from "@plimsoll/registry/settings";

/** The sender of a request of the protocol. */
export interface DistributionCaller {
  readonly principal: Principal;
  /**
   * Whether the caller's credentials cover an action: a token is for certain repositories and actions, a password for all. The
   * caller's current rights on the repository are checked as well (`repositoryActions`).
   * @param repository `namespace/name`
   */
  allows(repository: string, action: RepositoryAction): boolean;
  /** The repository of the request, if it was looked up together with the caller. */
  readonly place?: FoundPlace | undefined;
}

/** The result of looking up the repository of a request; `target` is undefined if there is none. */
export interface FoundPlace {
  readonly target: PushTarget | undefined;
}

/** The client address and the repository of a request. */
export interface IdentifiedRequest {
  /** The IP address of the client. */
  readonly address?: string;
  /** The repository to look up together with the caller, where one query can find both. */
  readonly place?: PushPlace | undefined;
}

/** Credentials that are not a token cover every action. */
export const unbounded = { allows: () => true } as const;

/** Identifies the caller of a request of the protocol. */
export interface DistributionAuth {
  /** The same authentication with challenges for clients that reach the registry at this origin. */
  at(origin: Origin): DistributionAuth;
  /**
   * The caller; undefined for a request without credentials.
   * @throws DistributionError `UNAUTHORIZED` for credentials or tokens that are not valid, `UNKNOWN` with status 503 if the directory is down
   */
  identify(headers: IncomingHttpHeaders, request?: IdentifiedRequest): Promise<DistributionCaller | undefined>;
  /**
   * The `WWW-Authenticate` header for a caller without permission: `Bearer realm="…/v2/auth",service="…",scope="…"`.
   * @param scope `repository:namespace/name:pull,push`, `registry:catalog:*`; absent where none is needed
   * @param error why the token of the request is not sufficient, so that the client does not request the same again: RFC 6750 §3.1
   */
  challenge(scope?: string, error?: "insufficient_scope"): string;
}
