import { createHmac } from "node:crypto";
import type { BrowserSessions, NewSession } from "../access/session.ts";
import { equalSecrets, randomSecret } from "../crypto/secrets.ts";

/** How long such a session lives at most, in seconds. */
const longestSeconds = 3600;

/** Of a cookie without an account: as long and of the same letters as the cookies of sessions that are stored. */
const lengths = { beganAt: 9, chance: 15, signature: 24 } as const;

/**
 * The sessions that browsers alone keep. A cookie is when it began (base 36), something random, for a user the account, its
 * credential version and the seconds that it lasts after points, and a signature of all that; the CSRF token is a signature of the cookie, so it is of no use with
 * another.
 *
 * @param key the same at every node: `deriveKey(key, "anonymous sessions")`
 */
export function createBrowserSessions(key: Uint8Array): BrowserSessions {
  const sign = (what: "cookie" | "csrf token", text: string) => createHmac("sha256", key).update(`${what} ${text}`);
  const signatureOf = (text: string) => {
    const length = text.includes(".") ? undefined : lengths.signature; // a user's is whole
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
      return { csrfToken: csrfTokenOf(cookie), beganAt, ...(account && { account }) };
    },
  };
}
