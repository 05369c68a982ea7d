import { createPublicKey } from "node:crypto";
import { UsageError } from "../cli/exit-code.ts";
import { readGivenFile } from "../config/read-given-file.ts";

/** The types of keys that cosign signs with. */
const signing: ReadonlySet<string> = new Set(["ec", "ed25519", "rsa"]);

/** The public keys in files, in PEM. @throws UsageError for a file that cannot be read or holds no such key */
export function readSignatureKeys(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map(readKey));
}

async function readKey(file: string): Promise<string> {
  const text = await readGivenFile("mirrorSignatureKeys", file);
  try {
    if (text.includes("PRIVATE KEY")) throw new TypeError("it is a private key");
    if (text.split("-----BEGIN ").length > 2)
      throw new TypeError("it has several keys, of which only the first would count");
    const { asymmetricKeyType } = createPublicKey(text);
    if (!signing.has(asymmetricKeyType ?? "")) throw new TypeError("such keys sign nothing");
    return text;
  } catch (error) {
    const message = `mirrorSignatureKeys: ${file}: expected one public key of ECDSA, Ed25519 or RSA in PEM`;
    throw new UsageError(message, { cause: error });
  }
}
