import type { Selectable } from "kysely";
import type { AccountTable, RepositoryRole } from "../store/tables/accounts.ts";
import type { HeldScopes, Scope } from "./scopes.ts";

/** An account as it is stored. */
export type Account = Selectable<AccountTable>;

/** The caller of a request. */
export type Principal = AnonymousPrincipal | UserPrincipal | RobotPrincipal | RepositoryTokenPrincipal;

/** The caller of a request without credentials. */
export interface AnonymousPrincipal {
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
export interface OAuthGrant {
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
