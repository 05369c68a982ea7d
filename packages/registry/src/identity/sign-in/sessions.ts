import { createHmac } from "node:crypto";
import { type AccountRow, findAccountById } from "../../access/queries.ts";
import type { BrowserSessions, NewSession, Session, SignedAccount, UserSession } from "../../access/session.ts";
import type { CallContext } from "../../context.ts";
import { equalSecrets, hashSecret, randomSecret } from "../../crypto/secrets.ts";
import { RegistryError } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { findByHash, insertSession } from "./queries/token-holders.ts";

/** The session of an identity provider with which a session begins. */
export interface OutsideSession {
  readonly service: string;
  readonly subject: string;
  readonly sid?: string | undefined;
  /** The ID token, encrypted. */
  readonly sealedToken?: string | undefined;
}

/** A session to create. */
interface SessionRequest {
  readonly account: AccountRow;
  readonly now: number;
  readonly lifetimeSeconds: number;
  readonly outside?: OutsideSession | undefined;
}

/** Creates the session of an account. Every sign-in creates a new one, which prevents session fixation. */
export async function createSession(
  db: RegistryDb,
  { account, now, lifetimeSeconds, outside }: SessionRequest,
): Promise<NewSession> {
  const cookie = randomSecret(48);
  const csrfToken = randomSecret(48);
  await insertSession(db, {
    id_hash: hashSecret(cookie),
    account_id: account.id,
    credential_version: account.credential_version,
    csrf_token: csrfToken,
    created_at: now,
    fresh_at: now,
    expires_at: now + lifetimeSeconds * 1000,
    outside_service: outside?.service ?? null,
    outside_subject: outside?.subject ?? null,
    outside_sid: outside?.sid ?? null,
    outside_token_sealed: outside?.sealedToken ?? null,
  });
  return { cookie, csrfToken, lifetimeSeconds };
}

/** The session of a cookie; undefined if it has ended, or its account is disabled or has ended its sessions. */
export async function findSession(
  context: Pick<CallContext, "db" | "browserSessions" | "now">,
  cookie: string,
): Promise<Session | undefined> {
  const { db, browserSessions, now } = context;
  const shown = browserSessions.find(cookie, now);
  if (shown === undefined) return findStoredSession(db, cookie, now);
  const { csrfToken, beganAt, account } = shown;
  if (account === undefined) return { csrfToken };
  return sessionOf(db, account, {
    session: { idHash: hashSecret(cookie), csrfToken, freshAt: beganAt },
    isStored: false,
  });
}

async function findStoredSession(db: RegistryDb, cookie: string, now: number): Promise<UserSession | undefined> {
  const idHash = hashSecret(cookie);
  const [session] = await findByHash(db, { idHash });
  if (session === undefined || session.expires_at <= now) return undefined;
  const { csrf_token: csrfToken, account_id: id, credential_version, fresh_at: freshAt } = session;
  return sessionOf(db, { id, credential_version }, { session: { idHash, csrfToken, freshAt }, isStored: true });
}

async function sessionOf(
  db: RegistryDb,
  signed: SignedAccount,
  {
    session,
    isStored,
  }: {
    readonly session: { readonly idHash: string; readonly csrfToken: string; readonly freshAt: number };
    readonly isStored: boolean;
  },
): Promise<UserSession | undefined> {
  const account = await findAccountById(db, signed.id);
  if (account === undefined || account.enabled === 0) return undefined;
  if (account.credential_version !== signed.credential_version) return undefined;
  const { idHash, csrfToken } = session;
  return { idHash, csrfToken, isStored, principal: { kind: "user", account, via: { kind: "session", ...session } } };
}

/** The error for a request of a browser that another site may have forged. */
export function csrfTokenMissing(): RegistryError {
  return new RegistryError("insufficient_scope", "CSRF token was invalid or missing: send it as X-CSRF-Token");
}

/** The longest lifetime of such a session. */
const longestSeconds = 3600;

/** The lengths of the parts of a cookie without an account. It has the length and the alphabet of cookies of stored sessions. */
const lengths = { beganAt: 9, chance: 15, signature: 24 } as const;

/**
 * Creates the sessions that are stored in browsers only. The CSRF token is a signature of the cookie, so it is valid for that cookie only.
 *
 *     cookie = begin-time-in-base-36 random [ "." account-id "." credential-version "." lifetime-seconds "." ] signature
 *
 * @param key the same on every node: `deriveKey(key, "anonymous sessions")`
 */
export function createBrowserSessions(key: Uint8Array): BrowserSessions {
  const sign = (what: "cookie" | "csrf token", text: string) => createHmac("sha256", key).update(`${what} ${text}`);
  const signatureOf = (text: string) => {
    const length = text.includes(".") ? undefined : lengths.signature; // a user's signature is not shortened
    return sign("cookie", text).digest("hex").slice(0, length).toUpperCase();
  };
  const csrfTokenOf = (cookie: string) => sign("csrf token", cookie).digest("base64url");
  const begin = (now: number, account = "", lifetimeSeconds = longestSeconds): NewSession => {
    const beganAt = now.toString(36).toUpperCase().padStart(lengths.beganAt, "0");
    const signed = `${beganAt}${randomSecret(lengths.chance)}${account}`;
    const cookie = `${signed}${signatureOf(signed)}`;
    return { cookie, csrfToken: csrfTokenOf(cookie), lifetimeSeconds };
  };
  return {
    begin: (now) => begin(now),
    beginFor({ id, credential_version }, now, sessionSeconds) {
      const lifetimeSeconds = Math.min(longestSeconds, sessionSeconds);
      return begin(now, `.${id}.${credential_version}.${lifetimeSeconds}.`, lifetimeSeconds);
    },
    find(cookie, now) {
      const signedEnd = cookie.includes(".") ? cookie.lastIndexOf(".") + 1 : cookie.length - lengths.signature;
      const signed = cookie.slice(0, Math.max(0, signedEnd));
      if (!equalSecrets(signatureOf(signed), cookie.slice(signed.length))) return undefined;
      const beganAt = Number.parseInt(signed.slice(0, lengths.beganAt), 36);
      const [, id, version, lifetimeSeconds = longestSeconds] = signed.split(".");
      if (now >= beganAt + Number(lifetimeSeconds) * 1000) return undefined;
      const account = id === undefined ? undefined : { id, credential_version: Number(version) };
      return { csrfToken: csrfTokenOf(cookie), beganAt, account };
    },
  };
}
