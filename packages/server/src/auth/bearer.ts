import { hash } from "node:crypto";
import { type JWTPayload, jwtVerify } from "jose";

/** The callers that are admitted: holders of the pre-shared key that name an issuer of the list. */
export interface BearerSettings {
  readonly key: Uint8Array;
  readonly issuers: readonly string[];
}

/** Whether an `Authorization` header lets its sender in. */
export type Authenticate = (authorization: string | undefined, now: Date) => Promise<boolean>;

/** Clocks of others may differ by this much. */
const leewaySeconds = 15;

/** So many tokens are verified once only. */
const maxKnown = 1_000;

/**
 * Checks `Bearer` tokens: JSON Web Tokens signed with the key by HMAC. `iss` has to be on the list; `exp`, `nbf` and `iat`
 * are checked where they are there, at every request; what never changes, signature and issuer, at a token's first.
 */
export function bearerAuthentication(settings: BearerSettings): Authenticate {
  const known = new Map<string, Times>(); // by digest, so that no token lies about in memory
  return async (authorization, now) => {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined) return false;
    const id = hash("sha256", token);
    const times = known.get(id) ?? (await verify(token, settings, now));
    if (times === undefined || !isCurrent(times, now)) return false;
    keep(known, id, times);
    return true;
  };
}

type Times = Pick<JWTPayload, "exp" | "nbf" | "iat">;

/** Undefined for what is forged, expired, of another issuer or no token: the sender is not told which. */
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

/** The one known longest makes room. */
function keep(known: Map<string, Times>, id: string, { exp, nbf, iat }: Times): void {
  if (known.has(id)) return;
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size === maxKnown) known.delete(oldest);
  known.set(id, {
    ...(exp !== undefined && { exp }),
    ...(nbf !== undefined && { nbf }),
    ...(iat !== undefined && { iat }),
  });
}
