import type { IncomingHttpHeaders } from "node:http";
import type { Principal } from "../access/principal.ts";
import type { Origin } from "../settings.ts";
import type { PushPlace, PushTarget } from "./queries/push-target.ts";
import type { RepositoryAction } from "./repository-actions.ts";

/** The sender of a request of the protocol. */
export interface DistributionCaller {
  readonly principal: Principal;
  /**
   * Whether the caller's credentials cover an action: a token is for certain repositories and actions, a password for all. The
   * caller's current rights on the repository are checked as well (`repositoryActions`).
   * @param repository `namespace/name`
   */
  allows(repository: string, action: RepositoryAction): boolean;
  /** What is at the place that the request names, where that was looked up together with the caller. */
  readonly place?: FoundPlace | undefined;
}

/** What is at the place that a request names; nothing where there is no such repository. */
export interface FoundPlace {
  readonly target: PushTarget | undefined;
}

/** How a request came, and what it names. */
export interface IdentifiedRequest {
  /** Of the client. */
  readonly address?: string;
  /** What is looked up with the caller, where one statement can find both. */
  readonly place?: PushPlace | undefined;
}

/** The bounds of credentials that are not a token: none. */
export const unbounded = { allows: () => true } as const;

/** Identifies the caller of a request of the protocol. */
export interface DistributionAuth {
  /** The same for clients that reach the registry at this origin: challenges name it. */
  at(origin: Origin): DistributionAuth;
  /**
   * The caller; undefined for a request without credentials.
   * @throws DistributionError `UNAUTHORIZED` for credentials or tokens that are not valid
   */
  identify(headers: IncomingHttpHeaders, request?: IdentifiedRequest): Promise<DistributionCaller | undefined>;
  /**
   * The `WWW-Authenticate` header for a caller without permission: `Bearer realm="…/v2/auth",service="…",scope="…"`.
   * @param scope `repository:namespace/name:pull,push`, `registry:catalog:*`; absent where none is needed
   * @param error why a token that was shown is not enough: a client that reads it asks for no other. RFC 6750 §3.1
   */
  challenge(scope?: string, error?: "insufficient_scope"): string;
}
