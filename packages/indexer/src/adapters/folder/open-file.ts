import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { reasonOf } from "./root-walk.ts";

/**
 * Opens a file below a root. Because the tree may change meanwhile, links and pipes, which could block, are refused.
 */
export async function openNoLink(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error("no longer a file");
}

const firstPartBytes = 4096;
const partBytes = 256 * 1024;

/** Passes the parts of a file to a watcher until it returns false. @returns the reason if the file cannot be read */
export async function showFile(path: string, watcher: (part: Uint8Array) => boolean): Promise<string | undefined> {
  try {
    await using file = await openNoLink(path);
    let length = firstPartBytes;
    for (let position = 0; ; length = partBytes) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, position);
      position += bytesRead;
      if (bytesRead === 0 || !watcher(buffer.subarray(0, bytesRead))) return undefined;
    }
  } catch (error) {
    return reasonOf(error);
  }
}
