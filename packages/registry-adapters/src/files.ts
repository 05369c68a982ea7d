import { randomBytes, randomUUID } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, makeFolders } from "@plimsoll/store";

/** Blobs in a folder, and the key in a file. */
export { createFileBlobStore, type FileBlobStoreOptions } from "./blob-stores/file-blob-store.ts";

const keyBytes = 32;

/**
 * The secret key of an installation that configures none. It is stored in a file that only its user can read, and created if it is
 * missing. Several processes may start at once.
 * @throws RangeError for a file without a valid key
 * @example
 * const key = await readSecretKey("/var/lib/registry/secret"); // the first process creates it
 */
export async function readSecretKey(file: string): Promise<Uint8Array> {
  const existing = await readIfThere(file);
  if (existing !== undefined) return parseKey(file, existing);
  await makeFolders(dirname(file));
  const key = randomBytes(keyBytes);
  const draft = `${file}-${randomUUID()}`;
  try {
    await writeDraft(draft, `${key.toString("base64")}\n`);
    await link(draft, file); // the key appears as a whole, and never in place of another
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return parseKey(file, (await readIfThere(file)) ?? "");
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(file: string, text: string): Promise<void> {
  await using handle = await open(file, "wx", 0o600);
  await handle.writeFile(text);
  await handle.sync();
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function parseKey(file: string, text: string): Uint8Array {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length >= keyBytes) return key;
  throw new RangeError(`${file}: expected at least ${keyBytes} bytes in base64, found ${key.length}`);
}
