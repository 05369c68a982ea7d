import type { Selectable } from "kysely";
import type { AccountTable, RepositoryRole } from "../store/tables/accounts.ts";
import type { HeldScopes, Scope } from "./scopes.ts";

/** An account as it is stored. */
export type Account = Selectable<AccountTable>;

/** Who calls. */
export type Principal = AnonymousPrincipal | UserPrincipal | RobotPrincipal | RepositoryTokenPrincipal;

/** The caller of a request without credentials. */
export interface AnonymousPrincipal {
  readonly kind: "anonymous";
}

/** A user, and what they showed for it. */
export interface UserPrincipal {
  readonly kind: "user";
  readonly account: Account;
  readonly via: UserCredential;
}

/** What a user is known by. */
export type UserCredential =
  | { readonly kind: "session"; readonly idHash: string; readonly csrfToken: string; readonly freshAt: number }
  | { readonly kind: "oauth"; readonly token: OAuthGrant }
  | { readonly kind: "app-token"; readonly id: string; readonly title: string }
  | { readonly kind: "password" };

/** An OAuth token at work. */
export interface OAuthGrant {
  readonly id: string;
  readonly clientId: string;
  readonly applicationName: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** A robot; it has no part in the management API. */
export interface RobotPrincipal {
  readonly kind: "robot";
  readonly account: Account;
  /** The namespace it belongs to. */
  readonly ownerId: string;
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

/** The account that acts, where there is one. */
export function accountOf(principal: Principal): Account | undefined {
  return principal.kind === "user" || principal.kind === "robot" ? principal.account : undefined;
}

/** The same caller without a token: what no scope limits. */
export function withoutToken(principal: Principal): Principal {
  return principal.kind === "user" ? { ...principal, via: { kind: "password" } } : principal;
}

/** What limits a caller; undefined where nothing does. */
export function heldScopes(principal: Principal): HeldScopes {
  return principal.kind === "user" && principal.via.kind === "oauth" ? principal.via.token.scopes : undefined;
}
