import { SignJWT } from "jose";

/** A token for one request, valid for a minute. */
export function signToken(key: Uint8Array, issuer: string, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setIssuedAt(seconds)
    .setNotBefore(seconds - 60)
    .setExpirationTime(seconds + 60)
    .sign(key);
}
