import { RegistryError } from "../errors.ts";
import type { Access } from "./access.ts";
import type { CallerSubject } from "./on-account.ts";
import { heldScopes, type Principal, type UserPrincipal } from "./principal.ts";
import type { AccountRow } from "./queries.ts";
import { holdsScope } from "./scopes.ts";

/** A session that has just begun. The value of its cookie is shown only this once. */
export interface NewSession {
  readonly cookie: string;
  readonly csrfToken: string;
  readonly lifetimeSeconds: number;
}

/** The session of a request. */
export type Session = AnonymousSession | UserSession;

/** A session without a signed-in user. */
interface AnonymousSession {
  readonly csrfToken: string;
  readonly principal?: undefined;
}

/** The session of a user who has signed in. */
export interface UserSession {
  readonly idHash: string;
  readonly csrfToken: string;
  /** Whether it is in the database; otherwise only the browser's cookie stores it. */
  readonly isStored: boolean;
  readonly principal: UserPrincipal;
}

/**
 * Sessions that only the browser's cookie stores, not the database. Anonymous callers have them, and users who sign in while the
 * database takes no changes.
 */
export interface BrowserSessions {
  /** Begins a session without a signed-in user. */
  begin(now: number): NewSession;
  /** Begins the session of an account. It lasts an hour at most, and ends with the other sessions of its account. */
  beginFor(account: SignedAccount, now: number, lifetimeSeconds: number): NewSession;
  /** Undefined if the cookie is not one of these sessions, or its session has ended. */
  find(cookie: string, now: number): BrowserSession | undefined;
}

/** The user of the session. */
export type SignedAccount = Pick<AccountRow, "id" | "credential_version">;

/** The content of the cookie of a session. */
interface BrowserSession {
  readonly csrfToken: string;
  readonly beganAt: number;
  /** The account as it was when it signed in; absent where no user has signed in. */
  readonly account?: SignedAccount;
}

/**
 * Refuses sessions whose password was given too long ago. A user without a password cannot give it again.
 * @throws RegistryError `fresh_login_required`
 */
export function checkFreshLogin(principal: Principal, now: number, freshLoginSeconds: number): void {
  if (principal.kind !== "user" || principal.via.kind !== "session") return;
  if (principal.account.password_hash === null || now - principal.via.freshAt <= freshLoginSeconds * 1000) return;
  throw new RegistryError("fresh_login_required", "Requires fresh login");
}

/**
 * The user who calls. For pages that check whether a user is signed in: the response to an anonymous request says that no user is,
 * and does not require signing in. A token that may not read users gets the same response.
 */
export const signedInUser: Access<CallerSubject> = {
  who: "the user, with a token that may read users",
  anonymous: false,
  admits: ["user"],
  async admit({ principal }) {
    if (principal.kind === "user" && holdsScope(heldScopes(principal), "user:read")) {
      return { caller: principal, account: principal.account };
    }
    throw new RegistryError("invalid_token", "Requires authentication", { details: { session_required: false } });
  },
};
