import { createPublicKey, type KeyObject } from "node:crypto";

/** The types of keys that cosign signs with. */
const signing: ReadonlySet<string> = new Set(["ec", "ed25519", "rsa"]);

/** The most bits of an RSA key: each check of a signature takes longer with a longer key. */
const mostRsaBits = 8192;

/** The form of keys, for messages. */
export const signingKeyForm = "one public key of ECDSA, Ed25519 or RSA in PEM";

/**
 * Parses a public key with which signatures are checked.
 * @throws TypeError for anything but {@link signingKeyForm}, with the reason
 * @example
 * declare const pem: string;
 * const key = parseSigningKey(pem);
 */
export function parseSigningKey(pem: string): KeyObject {
  if (pem.includes("PRIVATE KEY")) throw new TypeError("it is a private key");
  if (pem.split("-----BEGIN ").length > 2)
    throw new TypeError("it has several keys, of which only the first would count");
  const key = readKey(pem);
  if (!signing.has(key.asymmetricKeyType ?? "")) throw new TypeError("such keys sign nothing");
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) > mostRsaBits)
    throw new TypeError(`it has more than ${mostRsaBits} bits`);
  return key;
}

function readKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new TypeError("it is not a key in PEM", { cause });
  }
}
