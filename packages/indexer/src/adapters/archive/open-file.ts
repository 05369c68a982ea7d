import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";

/**
 * Opens a regular file. Pipes and devices are refused, because reading one may block forever.
 * @throws ScanError `not_found`, `not_permitted`, `source_unreachable`
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new ScanError("unsupported_source", `${path}: expected a file or a pipe, found something else`);
  } catch (error) {
    throw toFileError(error, path);
  }
}

/** Translates an error of the file system to an error of the engine. */
export function toFileError(cause: unknown, path: string): ScanError {
  if (cause instanceof ScanError) return cause;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new ScanError("not_found", `${path}: there is no such file`, { cause });
  if (code === "EACCES" || code === "EPERM") {
    return new ScanError("not_permitted", `${path} may not be read: check its permissions`, { cause });
  }
  return new ScanError("source_unreachable", fileProblem(path, "read", cause), { cause });
}
