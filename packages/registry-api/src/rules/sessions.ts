import { compileOnce, type Parameter } from "@plimsoll/store";
import type { UserPrincipal } from "../access/principal.ts";
import { hashSecret, randomSecret } from "../crypto/secrets.ts";
import { RegistryError } from "../errors.ts";
import { type AccountRow, findAccountById } from "../store/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** A session that has just begun: the cookie's value is shown to nobody again. */
export interface NewSession {
  readonly cookie: string;
  readonly csrfToken: string;
  readonly lifetimeSeconds: number;
}

/** A session at work. */
export type Session = AnonymousSession | UserSession;

/** A session in which nobody has signed in. */
export interface AnonymousSession {
  readonly csrfToken: string;
  readonly principal?: undefined;
}

/** The session of somebody who has signed in. */
export interface UserSession {
  readonly idHash: string;
  readonly csrfToken: string;
  readonly principal: UserPrincipal;
}

/** Sessions in which nobody has signed in. Browsers alone keep them: a visitor has nothing written. */
export interface AnonymousSessions {
  begin(now: number): NewSession;
  /** Undefined for a cookie that no such session began with, or whose session has ended. */
  find(cookie: string, now: number): AnonymousSession | undefined;
}

/** What looking for sessions needs. */
export interface SessionContext {
  readonly db: RegistryDb;
  readonly anonymousSessions: AnonymousSessions;
  readonly now: number;
}

/** Begins the session of an account. Signing in always begins one, so that no session is known beforehand. */
export async function createSession(
  db: RegistryDb,
  {
    account,
    now,
    lifetimeSeconds,
  }: { readonly account: AccountRow; readonly now: number; readonly lifetimeSeconds: number },
): Promise<NewSession> {
  const cookie = randomSecret(48);
  const csrfToken = randomSecret(48);
  await db
    .insertInto("session")
    .values({
      id_hash: hashSecret(cookie),
      account_id: account.id,
      credential_version: account.credential_version,
      csrf_token: csrfToken,
      created_at: now,
      fresh_at: now,
      expires_at: now + lifetimeSeconds * 1000,
    })
    .execute();
  return { cookie, csrfToken, lifetimeSeconds };
}

/** The session of a cookie; undefined when it has ended, or its account is disabled or has ended its sessions. */
export async function findSession(context: SessionContext, cookie: string): Promise<Session | undefined> {
  const { db, anonymousSessions, now } = context;
  return (await findUserSession(db, cookie, now)) ?? anonymousSessions.find(cookie, now);
}

async function findUserSession(db: RegistryDb, cookie: string, now: number): Promise<UserSession | undefined> {
  const idHash = hashSecret(cookie);
  const [session] = await findByHash(db, { idHash });
  if (session === undefined || session.expires_at <= now) return undefined;
  const { csrf_token: csrfToken, account_id, fresh_at: freshAt } = session;
  const account = await findAccountById(db, account_id);
  if (account === undefined || account.enabled === 0) return undefined;
  if (account.credential_version !== session.credential_version) return undefined;
  return {
    idHash,
    csrfToken,
    principal: { kind: "user", account, via: { kind: "session", idHash, csrfToken, freshAt } },
  };
}

const findByHash = compileOnce((db: RegistryDb, parameter: Parameter<{ idHash: string }>) =>
  db.selectFrom("session").selectAll().where("id_hash", "=", parameter("idHash")),
);

/** Remembers that the password was just given. */
export async function refreshSession(db: RegistryDb, idHash: string, now: number): Promise<void> {
  await db.updateTable("session").set({ fresh_at: now }).where("id_hash", "=", idHash).execute();
}

/** Ends one session. */
export async function endSession(db: RegistryDb, idHash: string): Promise<void> {
  await db.deleteFrom("session").where("id_hash", "=", idHash).execute();
}

/** The refusal of a browser's request that may not be its user's doing. */
export function csrfTokenMissing(): RegistryError {
  return new RegistryError("insufficient_scope", "CSRF token was invalid or missing: send it as X-CSRF-Token");
}
