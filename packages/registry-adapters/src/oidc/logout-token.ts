import type { ProviderLogout } from "@plimsoll/registry/ports/identities";
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { type Issuer, signingAlgorithms } from "./issuers.ts";

/** The event of a logout token. @see https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** By how much the clocks of the provider and of this machine may differ. */
const skewSeconds = 30;

/** Older tokens are refused, so that used tokens need not be stored for longer. */
const maxAgeSeconds = 600;

/** The longest identifier: characters. */
const maxLength = 255;

/** The values that a token must match. */
export interface ExpectedLogout {
  readonly issuer: string;
  readonly clientId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Validates a logout token. The caller checks whether it was used before.
 * @throws errors of `jose`; TypeError for claims that a logout token must not have, or lacks
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation
 */
export async function readLogoutToken(
  token: string,
  { keys }: Pick<Issuer, "keys">,
  { issuer, clientId, now }: ExpectedLogout,
): Promise<ProviderLogout> {
  const { typ = "JWT" } = decodeProtectedHeader(token);
  if (!/^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)) throw new TypeError(`typ: expected logout+jwt, found ${typ}`);
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: signingAlgorithms,
    clockTolerance: skewSeconds,
    currentDate: new Date(now),
    maxTokenAge: maxAgeSeconds,
    requiredClaims: ["iat", "jti", "events"],
  });
  return logoutOf(payload);
}

function logoutOf(payload: JWTPayload): ProviderLogout {
  const { events, nonce, iat = 0 } = payload;
  const event = typeof events === "object" && events !== null ? (events as Record<string, unknown>)[logoutEvent] : null;
  if (typeof event !== "object" || event === null) throw new TypeError("events: expected the event of a logout");
  if (nonce !== undefined) throw new TypeError("nonce: a logout token has none");
  const [subject, sid, jti] = [textOf(payload, "sub"), textOf(payload, "sid"), textOf(payload, "jti")];
  if (subject === undefined && sid === undefined) throw new TypeError("expected sub or sid, found neither");
  return {
    subject,
    sid,
    jti: jti ?? "",
    usableUntil: 1000 * (iat + maxAgeSeconds + skewSeconds),
  };
}

function textOf(payload: JWTPayload, name: string): string | undefined {
  const value = payload[name];
  if (value === undefined) return undefined;
  if (typeof value === "string" && value !== "" && value.length <= maxLength && !value.includes("\u0000")) return value;
  throw new TypeError(`${name}: expected a string of up to ${maxLength} characters`);
}
