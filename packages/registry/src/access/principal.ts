import type { Selectable } from "kysely";
import { RegistryError } from "../errors.ts";
import type { AccountTable, RepositoryRole } from "../store/tables/accounts.ts";
import type { HeldScopes, Scope } from "./scopes.ts";

/** An account as it is stored. */
export type Account = Selectable<AccountTable>;

/** The caller of a request. */
export type Principal = AnonymousPrincipal | UserPrincipal | RobotPrincipal | RepositoryTokenPrincipal;

/** The caller of a request without credentials. */
interface AnonymousPrincipal {
  readonly kind: "anonymous";
}

/** A user, and the credential of the request. */
export interface UserPrincipal {
  readonly kind: "user";
  readonly account: Account;
  readonly via: UserCredential;
}

/** The credential of a user. */
export type UserCredential =
  | { readonly kind: "session"; readonly idHash: string; readonly csrfToken: string; readonly freshAt: number }
  | { readonly kind: "oauth"; readonly token: OAuthGrant }
  | { readonly kind: "app-token"; readonly id: string; readonly title: string }
  | { readonly kind: "password" };

/** The OAuth token of a request. */
interface OAuthGrant {
  readonly id: string;
  readonly clientId: string;
  readonly applicationName: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** A robot. Robots cannot use the management API. */
export interface RobotPrincipal {
  readonly kind: "robot";
  readonly account: Account;
  /** The namespace it belongs to. */
  readonly ownerId: string;
  /** Where it has signed in with a token of a CI system, or with one that was given for it. Neither must outlast itself. */
  readonly federation?: "CI token" | "robot token";
}

/** A client that shows the password of one repository. */
export interface RepositoryTokenPrincipal {
  readonly kind: "repository-token";
  readonly id: string;
  readonly friendlyName: string;
  readonly repositoryId: string;
  readonly role: RepositoryRole;
}

/** The one {@link AnonymousPrincipal}. */
export const anonymous: AnonymousPrincipal = { kind: "anonymous" };

/** The account of a caller, where it has one. */
export function accountOf(principal: Principal): Account | undefined {
  return principal.kind === "user" || principal.kind === "robot" ? principal.account : undefined;
}

/** The same caller without a token, so that no scope limits them. */
export function withoutToken(principal: Principal): Principal {
  return principal.kind === "user" ? { ...principal, via: { kind: "password" } } : principal;
}

/** The scopes that limit a caller; undefined where none do. */
export function heldScopes(principal: Principal): HeldScopes {
  return principal.kind === "user" && principal.via.kind === "oauth" ? principal.via.token.scopes : undefined;
}

/** The callers that an admission lets through, in the words of `docs/reference/permissions.md`. Roles include those below them. */
export const admitted = {
  everyone: "everyone",
  visitors: "everyone; only users where the feature `anonymousAccess` is off",
  user: "the user",
  "organization member": "member of the organization",
  "organization creator": "creator in the organization",
  "organization admin": "admin of the organization",
  "organization sync admin": "admin of the organization, if superuser or the feature `memberTeamSync` is on",
  "team member": "member of the team",
  "namespace creator": "the namespace's user, creator in the organization",
  "repository read": "read on the repository",
  "repository write": "write on the repository",
  "repository admin": "admin on the repository",
  public: "everyone, if the repository is public",
  superuser: "superuser",
  "full-access superuser": "superuser with full access",
  "read-only superuser": "read-only superuser",
} as const;

/** One of {@link admitted}. */
export type Admitted = keyof typeof admitted;

/**
 * Refuses what restricted users may not do: make organizations, and robots of their own.
 * @throws RegistryError `insufficient_scope`
 */
export function checkNotRestricted({ outside_role }: Pick<Account, "outside_role">): void {
  if (outside_role !== "restricted") return;
  throw new RegistryError("insufficient_scope", "Your account is restricted: it cannot create organizations or robots");
}
