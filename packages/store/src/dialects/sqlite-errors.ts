import { StoreError, type StoreErrorCode } from "../errors.ts";

/**
 * Primary result codes for errors of the file as a whole.
 * @see https://sqlite.org/rescode.html
 */
const codes: ReadonlyMap<number, readonly [StoreErrorCode, string]> = new Map([
  [5, ["locked", "is being written by another process: try again when it is done"]],
  [6, ["locked", "is being written by another process: try again when it is done"]],
  [10, ["unavailable", "cannot be read or written: check its disk"]],
  [
    8,
    [
      "read_only",
      "cannot be written: check the permissions of the file and its folder, and how its file system is mounted",
    ],
  ],
  [11, ["corrupt", "is damaged: restore it, or delete it and update the feeds again"]],
  [13, ["disk_full", "cannot grow: the disk is full"]],
  [14, ["cannot_open", "cannot be opened: check that it is a file and its permissions"]],
  [26, ["not_a_database", "is not an SQLite database: name another file"]],
]);

/** Converts an error of the file as a whole to a {@link StoreError}; other errors are returned unchanged. */
export function explainError(error: unknown, path: string): unknown {
  const [code, remedy] = codes.get(resultCode(error) ?? -1) ?? [];
  if (code === undefined) return error;
  return new StoreError(code, `${path} ${remedy}`, { cause: error });
}

/** The primary result code of an error of the engine. @see https://sqlite.org/rescode.html */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}
