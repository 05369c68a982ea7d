import { createPublicKey } from "node:crypto";
import { UsageError } from "../cli/exit-code.ts";
import { readGivenFile } from "../config/read-given-file.ts";

/** The public keys in files, in PEM. @throws UsageError for a file that cannot be read or holds no such key */
export function readSignatureKeys(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map(readKey));
}

async function readKey(file: string): Promise<string> {
  const text = await readGivenFile("mirrorSignatureKeys", file);
  try {
    if (text.includes("PRIVATE KEY")) throw new TypeError("it is a private key");
    createPublicKey(text);
    return text;
  } catch (error) {
    throw new UsageError(`mirrorSignatureKeys: ${file}: expected a public key in PEM`, { cause: error });
  }
}
