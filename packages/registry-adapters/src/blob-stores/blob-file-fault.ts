import type { Dir } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { getSystemErrorMessage } from "node:util";
import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { hasCode } from "@plimsoll/store";
import { openFile } from "./read-in-turns.ts";

/** Errors of one path: something else is in the place of the file or of its folder. */
const ofPath = ["ELOOP", "ENOTDIR", "EISDIR", "ENXIO", "ESPIPE"];

/** Errors that one file may have, or all files: a bad sector or a failing disk, the permissions of one file or of the whole folder. */
const ofFileOrDisk = ["EIO", "EACCES", "EPERM"];

/** The place of a blob. */
export interface BlobPlace {
  /** The folder of all blobs of an algorithm; its folders have the blobs. */
  readonly root: string;
  readonly path: string;
}

/**
 * What an error of reading a file means for its blob.
 * @returns BlobStoreError `not_found`; `damaged`, if only this blob cannot be read; `unavailable`, if no other can be read either; other
 * errors as they are, for example if the process has no free descriptors
 */
export async function asBlobFault(cause: unknown, { root, path }: BlobPlace): Promise<unknown> {
  if (hasCode(cause, "ENOENT")) return new BlobStoreError("not_found", "no such blob", { cause });
  const isOfFileOrDisk = hasCode(cause, ...ofFileOrDisk);
  if (!isOfFileOrDisk && !hasCode(cause, ...ofPath)) return cause;
  const reason = reasonOf(cause);
  if (isOfFileOrDisk ? await canReadOther(root, path) : await canList(root))
    return new BlobStoreError("damaged", reason, { cause });
  return new BlobStoreError("unavailable", `no blob can be read: ${reason}`, { cause });
}

/** The error for something that has the name of a blob and is not a file. */
export function notAFile(): BlobStoreError {
  return new BlobStoreError("damaged", "something else has the name of its file");
}

/** The system's words for an error, without the path. */
function reasonOf(cause: unknown): string {
  const { errno, code } = cause as NodeJS.ErrnoException;
  return errno === undefined ? String(code) : `${getSystemErrorMessage(errno)} (${code})`;
}

/** How many other blobs are tried before the whole store counts as unreadable. */
const mostTried = 8;

/** Whether another blob can be read, or there is none. */
async function canReadOther(root: string, path: string): Promise<boolean> {
  let tried = 0;
  try {
    for await (const folder of await opendir(root)) {
      const other = await otherFile(join(root, folder.name), path);
      if (other === undefined) continue;
      if (await canRead(other)) return true;
      tried++;
      if (tried === mostTried) return false;
    }
  } catch {
    return false;
  }
  return tried === 0;
}

/** One of the first files of a folder, but not that of the path; the folder itself if it cannot be listed; undefined if it has none. */
async function otherFile(folder: string, path: string): Promise<string | undefined> {
  let entries: Dir;
  try {
    entries = await opendir(folder);
  } catch {
    return folder;
  }
  for await (const entry of entries) {
    const other = join(folder, entry.name);
    if (!entry.isDirectory() && other !== path) return other;
  }
  return undefined;
}

async function canRead(path: string): Promise<boolean> {
  try {
    await using file = await openFile(path);
    await file.read(Buffer.allocUnsafe(1), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

function canList(folder: string): Promise<boolean> {
  return opendir(folder).then(
    async (opened) => {
      await opened.close();
      return true;
    },
    () => false,
  );
}
