import type { IncomingHttpHeaders } from "node:http";
import type { Principal } from "../access/principal.ts";
import type { Origin } from "../settings.ts";
import type { RepositoryAction } from "./repository-actions.ts";

/** The sender of a request of the protocol. */
export interface DistributionCaller {
  readonly principal: Principal;
  /**
   * Whether what the caller showed reaches so far: a token is for certain repositories and actions, a password for all. The
   * caller's rights on the repository, as they are now, are asked besides (`repositoryActions`).
   * @param repository `namespace/name`
   */
  allows(repository: string, action: RepositoryAction): boolean;
}

/** The bounds of what is no token. */
export const unbounded = { allows: () => true } as const;

/** Tells who a request of the protocol is from. */
export interface DistributionAuth {
  /** The same for clients that find the registry there: challenges lead them back. */
  at(origin: Origin): DistributionAuth;
  /**
   * The caller; undefined where nothing was shown.
   * @throws DistributionError `UNAUTHORIZED` for credentials or tokens that are not valid
   */
  identify(headers: IncomingHttpHeaders, address?: string): Promise<DistributionCaller | undefined>;
  /**
   * The `WWW-Authenticate` header for a caller without permission: `Bearer realm="…/v2/auth",service="…",scope="…"`.
   * @param scope `repository:namespace/name:pull,push`, `registry:catalog:*`; absent where none is needed
   * @param error why a token that was shown is not enough: a client that reads it asks for no other. RFC 6750 §3.1
   */
  challenge(scope?: string, error?: "insufficient_scope"): string;
}
