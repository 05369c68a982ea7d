import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { type TOptional, type TUnknown, Type } from "typebox";
import { invalidRequest } from "../../errors.ts";

const base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] as const;
type PrivateMember = (typeof privateMembers)[number];

/** Members that are declared so that they reach {@link readSubmittedJwk}, which refuses them. */
const refused = Object.fromEntries(
  privateMembers.map((name) => [name, Type.Optional(Type.Unknown({ description: "Refused: keys are public" }))]),
) as Record<PrivateMember, TOptional<TUnknown>>;

/** A key that a service submits. Its size is bounded, so that signatures are cheap to check. @see https://www.rfc-editor.org/rfc/rfc7518#section-6.3.1 */
export const SubmittedJwk = Type.Object({
  kty: Type.Literal("RSA"),
  n: base64url(1366), // 8192 bits
  e: base64url(6), // 32 bits
  kid: Type.Optional(Type.String({ maxLength: 255 })),
  ...refused,
});

/** The public part of an RSA key, with its id. */
export interface PublicJwk {
  readonly kty: "RSA";
  readonly n: string;
  readonly e: string;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
}

const minBits = 2048;
const minExponent = 65_537n;

/**
 * Checks a key that a service submits. Its id must be its thumbprint, so that no service can use the id of another key.
 * @throws RegistryError `invalid_request`
 */
export async function readSubmittedJwk(given: JsonWebKey, kid: string): Promise<PublicJwk> {
  const found = privateMembers.find((member) => member in given);
  if (found !== undefined) throw invalidRequest(`body: expected a public key, found its private member ${found}`);
  const key = openKey(given);
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < minBits) throw invalidRequest(`body: expected RSA of ${minBits} bits, found ${modulusLength}`);
  if (publicExponent < minExponent) throw invalidRequest(`body: expected an exponent of ${minExponent} or more`);
  const { n = "", e = "" } = key.export({ format: "jwk" }); // without leading zeros, so that a key has one thumbprint
  const thumbprint = await calculateJwkThumbprint({ kty: "RSA", n, e });
  if (kid !== thumbprint) throw invalidRequest(`The name of the key is not its thumbprint, ${thumbprint}`);
  if (given.kid !== undefined && given.kid !== kid)
    throw invalidRequest("body: the kid differs from that of the named key");
  return { kty: "RSA", n, e, kid };
}

function openKey({ n = "", e = "" }: JsonWebKey): KeyObject {
  try {
    return createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
  } catch {
    throw invalidRequest("body: is not an RSA key");
  }
}
