import { createHmac } from "node:crypto";
import { equalSecrets, randomSecret } from "../crypto/secrets.ts";
import type { AnonymousSessions } from "./sessions.ts";

/** How long such a session lives, in seconds. */
const lifetimeSeconds = 3600;

/** As long and of the same letters as the cookies of those who have signed in. */
const lengths = { beganAt: 9, chance: 15, signature: 24 } as const;

/**
 * The anonymous sessions of a registry. A cookie is when it began (base 36), something random and a signature of both; the CSRF
 * token is a signature of the cookie, so it is of no use with another.
 *
 * @param key the same at every node: `deriveKey(key, "anonymous sessions")`
 */
export function createAnonymousSessions(key: Uint8Array): AnonymousSessions {
  const sign = (what: "cookie" | "csrf token", text: string) => createHmac("sha256", key).update(`${what} ${text}`);
  const signatureOf = (text: string) => sign("cookie", text).digest("hex").slice(0, lengths.signature).toUpperCase();
  const csrfTokenOf = (cookie: string) => sign("csrf token", cookie).digest("base64url");
  return {
    begin(now) {
      const beganAt = now.toString(36).toUpperCase().padStart(lengths.beganAt, "0");
      const signed = `${beganAt}${randomSecret(lengths.chance)}`;
      const cookie = `${signed}${signatureOf(signed)}`;
      return { cookie, csrfToken: csrfTokenOf(cookie), lifetimeSeconds };
    },
    find(cookie, now) {
      const signed = cookie.slice(0, -lengths.signature);
      if (!equalSecrets(signatureOf(signed), cookie.slice(-lengths.signature))) return undefined;
      const beganAt = Number.parseInt(signed.slice(0, lengths.beganAt), 36);
      return now < beganAt + lifetimeSeconds * 1000 ? { csrfToken: csrfTokenOf(cookie) } : undefined;
    },
  };
}
