import type { UserPrincipal } from "./principal.ts";
import type { AccountRow } from "./queries.ts";

/** A session that has just begun. The value of its cookie is shown only this once. */
export interface NewSession {
  readonly cookie: string;
  readonly csrfToken: string;
  readonly lifetimeSeconds: number;
}

/** The session of a request. */
export type Session = AnonymousSession | UserSession;

/** A session without a signed-in user. */
export interface AnonymousSession {
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
export interface BrowserSession {
  readonly csrfToken: string;
  readonly beganAt: number;
  /** The account as it was when it signed in; absent where no user has signed in. */
  readonly account?: SignedAccount;
}
