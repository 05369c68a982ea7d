import { createHmac } from "node:crypto";
import type { BrowserSessions, NewSession } from "../../access/session.ts";
import { equalSecrets, randomSecret } from "../../crypto/secrets.ts";

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
