import { jwtVerify } from "jose";

/** Who may call: holders of the pre-shared key that name an issuer of the list. */
export interface BearerSettings {
  readonly key: Uint8Array;
  readonly issuers: readonly string[];
}

/** Whether an `Authorization` header lets its sender in. */
export type Authenticate = (authorization: string | undefined, now: Date) => Promise<boolean>;

/** Clocks of others may differ by this much. */
const leewaySeconds = 15;

/**
 * Checks `Bearer` tokens: JSON Web Tokens signed with the key by HMAC. `iss` has to be on the list; `exp`, `nbf` and `iat`
 * are checked where they are there.
 */
export function bearerAuthentication({ key, issuers }: BearerSettings): Authenticate {
  return async (authorization, now) => {
    const token = authorization?.startsWith("Bearer ") ? authorization.slice("Bearer ".length) : undefined;
    if (token === undefined) return false;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256", "HS384", "HS512"],
        issuer: [...issuers],
        clockTolerance: leewaySeconds,
        currentDate: now,
      });
      return payload.iat === undefined || payload.iat <= now.getTime() / 1000 + leewaySeconds;
    } catch {
      return false; // forged, expired, of somebody else or no token: the sender is not told which
    }
  };
}
