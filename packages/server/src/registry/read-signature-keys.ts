import { parseSigningKey, signingKeyForm } from "@plimsoll/registry-api";
import { UsageError } from "../cli/exit-code.ts";
import { readGivenFile } from "../config/read-given-file.ts";

/** The public keys in files, in PEM. @throws UsageError for a file that cannot be read or holds no such key */
export function readSignatureKeys(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map(readKey));
}

async function readKey(file: string): Promise<string> {
  const text = await readGivenFile("mirrorSignatureKeys", file);
  try {
    parseSigningKey(text);
    return text;
  } catch (error) {
    const message = `mirrorSignatureKeys: ${file}: expected ${signingKeyForm}`;
    throw new UsageError(message, { cause: error });
  }
}
