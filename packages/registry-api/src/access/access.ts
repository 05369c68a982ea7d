import { RegistryError } from "../errors.ts";
import type { Features, RegistrySettings } from "../settings.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { Principal } from "./principal.ts";
import type { Scope } from "./scopes.ts";
import type { Standing } from "./standing.ts";

/** A request as far as its admission is concerned. */
export interface AccessRequest {
  readonly db: RegistryDb;
  readonly settings: RegistrySettings;
  readonly principal: Principal;
  readonly standing: Standing;
  /** Whether nothing will be changed. */
  readonly isRead: boolean;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Who may call an operation, and what the operation then works on. Permission is decided before existence is told.
 * @typeParam Subject what is loaded for the operation: no handler holds a row that nobody was admitted to
 */
export interface Access<Subject> {
  /** In words, for the documentation: `admin of the repository`. */
  readonly who: string;
  /** What a token must hold; absent where none is needed. */
  readonly scope?: Scope;
  /** Where it is off nobody is admitted, and what they would be admitted to is unknown. */
  readonly feature?: keyof Features;
  /** @throws RegistryError `invalid_token`, `insufficient_scope`, `not_found` */
  admit(request: AccessRequest): Promise<Subject>;
}

/** The refusal of a caller: 401 for nobody in particular, 403 for somebody. */
export function refusal({ kind }: Principal): RegistryError {
  return kind === "anonymous"
    ? new RegistryError("invalid_token", "Requires authentication", { details: { session_required: true } })
    : new RegistryError("insufficient_scope", "Unauthorized");
}
