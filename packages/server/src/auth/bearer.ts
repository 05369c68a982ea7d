import { hash } from "node:crypto";
import { type JWTPayload, jwtVerify } from "jose";

/** The pre-shared key, and the accepted values of `iss`. */
export interface BearerSettings {
  readonly key: Uint8Array;
  readonly issuers: readonly string[];
}

/** Whether an `Authorization` header has a valid token. */
export type Authenticate = (authorization: string | undefined, now: Date) => Promise<boolean>;

/** The accepted difference between the clocks of issuer and server. */
const leewaySeconds = 15;

/** How many verified tokens are cached. */
const maxKnown = 1_000;

/**
 * Checks `Bearer` tokens: JSON Web Tokens signed with the key by HMAC. `iss` has to be on the list. Signature and issuer are
 * checked at a token's first request only, because they never change; `exp`, `nbf` and `iat`, where present, at every request.
 */
export function bearerAuthentication(settings: BearerSettings): Authenticate {
  const known = new Map<string, Times>(); // by digest, so that tokens are not kept in memory
  return async (authorization, now) => {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined) return false;
    const id = hash("sha256", token);
    const times = known.get(id) ?? (await verify(token, settings, now));
    if (times === undefined || !isCurrent(times, now)) return false;
    cacheTimes(known, id, times);
    return true;
  };
}

type Times = Pick<JWTPayload, "exp" | "nbf" | "iat">;

/** Undefined for a forged, expired or malformed token, or one of another issuer: the client does not learn which. */
async function verify(token: string, { key, issuers }: BearerSettings, now: Date): Promise<Times | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["HS256", "HS384", "HS512"],
      issuer: [...issuers],
      clockTolerance: leewaySeconds,
      currentDate: now,
    });
    return payload;
  } catch {
    return undefined;
  }
}

function isCurrent({ exp, nbf, iat }: Times, now: Date): boolean {
  const seconds = now.getTime() / 1000;
  if (exp !== undefined && exp + leewaySeconds <= Math.floor(seconds)) return false;
  return [nbf, iat].every((from) => from === undefined || from - leewaySeconds <= seconds);
}

/** A full cache drops its oldest token. */
function cacheTimes(known: Map<string, Times>, id: string, { exp, nbf, iat }: Times): void {
  if (known.has(id)) return;
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size === maxKnown) known.delete(oldest);
  known.set(id, {
    exp,
    nbf,
    iat,
  });
}
