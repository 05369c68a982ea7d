import { cannotUse, type StoreError } from "@plimsoll/store";
import { type AccountRow, updateAccount } from "../../access/queries.ts";
import type { NewSession, Session } from "../../access/session.ts";
import type { CallContext, Caller } from "../../context.ts";
import { RegistryError } from "../../errors.ts";
import { isInvitedByEmail } from "../../organizations/teams/invites.ts";
import { noMailer } from "../../ports.ts";
import type { RegistryStore } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { identifyLogin } from "./identify-login.ts";
import { logFailedSignIn, logSignIn, type SignInPlace } from "./log-sign-ins.ts";
import { endCredentials, endSession, refreshSession } from "./queries/token-holders.ts";
import { createSession, csrfTokenMissing, type OutsideSession } from "./sessions.ts";

/** What a sign-in takes of a call. */
export interface SignInCall
  extends Pick<
    CallContext,
    "db" | "now" | "passwords" | "loginKey" | "directory" | "mailer" | "settings" | "browserSessions"
  > {
  readonly caller: Pick<Caller, "ip" | "userAgent">;
  readonly session?: Session | undefined;
  /** Why the database is read-only; absent if it is writable. */
  readonly readOnly?: StoreError | undefined;
}

/** The credentials in a sign-in request. */
export interface SignInCredentials {
  /** The user name or the e-mail address. */
  readonly username: string;
  readonly password: string;
  /** The code of an invite by e-mail. It proves that the user has read the e-mail, and so confirms the address. */
  readonly inviteCode?: string | undefined;
}

/**
 * Identifies the user who signs in with a name or e-mail address and a password. Needs a session whose CSRF token the client has sent,
 * so that no other site can sign a visitor in as another user. Must not run in a transaction, since failures are counted.
 * @throws RegistryError `insufficient_scope`, `too_many_requests`
 */
export async function identifySignIn(call: SignInCall, shown: SignInCredentials): Promise<AccountRow> {
  if (call.session === undefined) throw csrfTokenMissing();
  try {
    return await identify(call, shown);
  } catch (error) {
    if (error instanceof RegistryError && error.code !== "too_many_requests") {
      const { db, settings } = call;
      await logFailedSignIn({ db, settings }, { username: shown.username, message: error.message }, placeOf(call));
    }
    throw error;
  }
}

async function identify(call: SignInCall, { username, password, inviteCode }: SignInCredentials) {
  const { db, mailer, now } = call;
  const account = await identifyLogin(call, username, password);
  if (account === undefined) throw refusal("Invalid username or password", { invalidCredentials: true });
  if (account.enabled === 0) throw refusal("This user is disabled", {});
  if (mailer === noMailer || account.verified === 1) return account;
  if (!(await isInvitedByEmail(db, { code: inviteCode, email: account.email ?? undefined, now }))) {
    throw refusal("The e-mail address is not confirmed yet", { needsEmailVerification: true });
  }
  await updateAccount(db, account.id, { verified: 1 });
  return { ...account, verified: 1 as const };
}

/**
 * Begins the session of a user whose credentials were checked. The previous session of the browser ends. While the database is
 * read-only, the new session is stored in the browser only.
 * @param outside the session of an identity provider with which it begins
 */
export async function signIn(call: SignInCall, account: AccountRow, outside?: OutsideSession): Promise<NewSession> {
  const { db, now, settings, session, readOnly, browserSessions } = call;
  const lifetimeSeconds = settings.sessionSeconds;
  if (readOnly !== undefined) return browserSessions.beginFor(account, now, lifetimeSeconds);
  const begun = await createSession(db, { account, now, lifetimeSeconds, outside });
  if (session?.principal !== undefined) await endSession(db, session.idHash);
  const principal = { kind: "user", account, via: { kind: "password" } } as const;
  await logSignIn({ db, settings }, principal, placeOf(call));
  return begun;
}

/** Stores that the user has just given the password again. @returns a session that replaces one that cannot be updated */
export async function renewSession(call: SignInCall, account: AccountRow): Promise<NewSession | undefined> {
  const { db, now, session, settings, readOnly, browserSessions } = call;
  if (session?.principal === undefined) return undefined;
  if (readOnly === undefined && (await refreshSession(db, session.idHash, now))) return undefined;
  return browserSessions.beginFor(account, now, settings.sessionSeconds);
}

/** Runs a sign-in or sign-out in a transaction. While the database is read-only, runs it without one, with `readOnly` set. */
export async function withOrWithoutChanges<Result>(
  store: RegistryStore,
  work: (how: Pick<SignInCall, "db" | "readOnly">) => Promise<Result>,
): Promise<Result> {
  try {
    return await store.transaction((db) => work({ db }));
  } catch (error) {
    if (!cannotUse(error)) throw error;
    return work({ db: store.db, readOnly: error });
  }
}

/**
 * Ends every session of the signed-in user, and the registry tokens for them. While the database is read-only, only a session that is
 * stored in the browser can end: with its cookie, which the caller always removes.
 * @throws RegistryError `read_only` for a session in a read-only database: it does not end
 */
export async function signOut(
  { db, now, caller, settings, readOnly }: Pick<SignInCall, "db" | "now" | "caller" | "settings" | "readOnly">,
  session: Session | undefined,
): Promise<void> {
  if (session?.principal === undefined) return;
  const { principal, isStored } = session;
  if (readOnly !== undefined && isStored) throw sessionsRemain(readOnly);
  if (readOnly !== undefined) return;
  const { id: namespaceId } = principal.account;
  await endCredentials(db, namespaceId);
  if (!settings.logSignIns) return;
  await writeUsageLog(db, { kind: "logout_success", metadata: {}, namespaceId, principal, ip: caller.ip, at: now });
}

function sessionsRemain(cause: StoreError): RegistryError {
  const { retryAfterSeconds = 5 } = cause;
  const message =
    "This browser is signed out, but the database is read-only at the moment: your other sessions continue until you sign out again";
  return new RegistryError("read_only", message, { cause, retryAfterSeconds });
}

/** Replaces the session of the caller's browser by a new session of an account. @returns the session for the browser */
export async function replaceSession(
  { db, now, session, settings }: Pick<SignInCall, "db" | "now" | "session" | "settings">,
  account: AccountRow,
): Promise<NewSession> {
  if (session?.principal !== undefined) await endSession(db, session.idHash);
  return createSession(db, { account, now, lifetimeSeconds: settings.sessionSeconds });
}

function placeOf({ caller, now }: Pick<SignInCall, "caller" | "now">): SignInPlace {
  return { type: "session", ip: caller.ip, userAgent: caller.userAgent, now };
}

function refusal(message: string, reasons: Readonly<Record<string, boolean>>): RegistryError {
  const details = { needsEmailVerification: false, invalidCredentials: false, ...reasons };
  return new RegistryError("insufficient_scope", message, { details });
}
