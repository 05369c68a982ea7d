import { createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, type JWK } from "jose";

/** A key pair. The private key is shown once and never stored. */
export interface NewKeyPair {
  readonly kid: string;
  readonly jwk: JWK;
  readonly publicPem: string;
  readonly privatePem: string;
}

const generate = promisify(generateKeyPair);

/** Creates an RSA key of 2048 bits; `kid` is its thumbprint. @see https://www.rfc-editor.org/rfc/rfc7638 */
export async function createKeyPair(): Promise<NewKeyPair> {
  const { publicKey, privateKey } = await generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const jwk = createPublicKey(publicKey).export({ format: "jwk" }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, jwk: { ...jwk, kid }, publicPem: publicKey, privatePem: privateKey };
}
