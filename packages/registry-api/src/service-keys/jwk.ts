import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { Type } from "typebox";
import { invalidRequest } from "../errors.ts";

const base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });

/** A key that a service submits; its size is bounded so that checking signatures stays cheap. @see https://www.rfc-editor.org/rfc/rfc7518#section-6.3.1 */
export const SubmittedJwk = Type.Object({
  kty: Type.Literal("RSA"),
  n: base64url(1366), // 8192 bits
  e: base64url(6), // 32 bits
  kid: Type.Optional(Type.String({ maxLength: 255 })),
});

/** The public part of an RSA key, under its name. */
export interface PublicJwk {
  readonly kty: "RSA";
  readonly n: string;
  readonly e: string;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
}

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] as const;
const minBits = 2048;
const minExponent = 65_537n;

/**
 * The key that a service submits under a name. The name is the key's thumbprint, so no service can take the name of another key.
 * @throws RegistryError `invalid_request`
 */
export async function readSubmittedJwk(given: JsonWebKey, kid: string): Promise<PublicJwk> {
  const found = privateMembers.find((member) => member in given);
  if (found !== undefined) throw invalidRequest(`body: expected a public key, found its private member ${found}`);
  const key = openKey(given);
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < minBits) throw invalidRequest(`body: expected RSA of ${minBits} bits, found ${modulusLength}`);
  if (publicExponent < minExponent) throw invalidRequest(`body: expected an exponent of ${minExponent} or more`);
  const { n = "", e = "" } = key.export({ format: "jwk" }); // leading zeros are gone, so that a key has one thumbprint
  const thumbprint = await calculateJwkThumbprint({ kty: "RSA", n, e });
  if (kid !== thumbprint) throw invalidRequest(`The name of the key is not its thumbprint, ${thumbprint}`);
  if (given.kid !== undefined && given.kid !== kid)
    throw invalidRequest("body: the kid differs from the one in the path");
  return { kty: "RSA", n, e, kid };
}

function openKey({ n = "", e = "" }: JsonWebKey): KeyObject {
  try {
    return createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
  } catch {
    throw invalidRequest("body: is not an RSA key");
  }
}
