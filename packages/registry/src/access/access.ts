import { RegistryError } from "../errors.ts";
import type { Features, RegistrySettings } from "../settings.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { GlobalRole } from "./global-role.ts";
import { type Admitted, heldScopes, type Principal } from "./principal.ts";
import { holdsScope, type Scope } from "./scopes.ts";

/** The parameters of a path. */
export type Params = Readonly<Record<string, string>>;

/** The parameters of a path that has none. */
export type NoParams = Readonly<Record<never, string>>;

/** The parts of a request that its admission needs. */
export interface AccessRequest<Named extends Params = Params> {
  readonly db: RegistryDb;
  readonly settings: RegistrySettings;
  readonly principal: Principal;
  readonly globalRole: GlobalRole;
  /** Whether the operation only reads. */
  readonly isRead: boolean;
  readonly params: Named;
}

/**
 * The callers that an operation admits, and what the operation then works on. A caller without permission does not learn whether the
 * subject exists.
 * @typeParam Subject the rows that are loaded for the operation: a handler gets only rows to which the caller was admitted
 */
export interface Access<Subject = unknown, Named extends Params = NoParams> {
  /** In words, for the documentation: `admin of the repository`. */
  readonly who: string;
  /** The callers who pass, as data; any one of these is enough. */
  readonly admits: readonly Admitted[];
  /** Callers who pass as well where the operation only reads. */
  readonly admitsReading?: readonly Admitted[];
  /** What a token must hold; absent where none is needed. */
  readonly scope?: Scope;
  /**
   * Whether anonymous callers need no permission: `always`, or only `where-allowed` (the feature `anonymousAccess`). Where false, `admit`
   * decides, and public repositories can be read.
   */
  readonly anonymous: "always" | "where-allowed" | false;
  /** Where this feature is off every caller is refused, and the response does not reveal whether the subject exists. */
  readonly feature?: keyof Features;
  /** @throws RegistryError `invalid_token`, `insufficient_scope`, `not_found` */
  readonly admit: (request: AccessRequest<Named>) => Promise<Subject>;
}

/**
 * The refusal of a caller: `invalid_token` for those who have not signed in, `insufficient_scope` for others. It names the scope that a
 * token lacks, or else the permission.
 */
export function refusal(principal: Principal, { who, scope }: Pick<Access<unknown>, "who" | "scope">): RegistryError {
  if (principal.kind === "anonymous") {
    return new RegistryError("invalid_token", "Requires authentication", { details: { session_required: true } });
  }
  if (scope !== undefined && !holdsScope(heldScopes(principal), scope)) return missingScope(scope);
  return new RegistryError("insufficient_scope", `Unauthorized: the operation is for ${who}`);
}

/**
 * Refuses a token without a scope that an operation needs. `repo:read` refuses no caller: it caps the role, and public repositories need
 * none.
 * @throws RegistryError `insufficient_scope`
 */
export function checkScope(principal: Principal, scope: Scope | undefined): void {
  if (scope === undefined || scope === "repo:read" || holdsScope(heldScopes(principal), scope)) return;
  throw missingScope(scope);
}

/** The refusal of a token that lacks a scope. */
export function missingScope(scope: Scope): RegistryError {
  return new RegistryError("insufficient_scope", `Unauthorized: the token needs the scope ${scope}`);
}
