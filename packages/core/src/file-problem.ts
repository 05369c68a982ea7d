/** The operation on a file that failed: it could not be … */
export type FileUse = "read" | "written";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "its permissions do not allow it to this user",
  EDQUOT: "the disk quota of this user is used up; free some space, or name another place",
  EISDIR: "it is a folder, and a file is expected",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open; allow more with ulimit -n",
  ENAMETOOLONG: "its name is too long",
  ENOSPC: "the disk is full; free some space, or name another place",
  ENOTDIR: "a part of its path is a file and not a folder",
  EPERM: "its permissions do not allow it to this user",
  EROFS: "its file system is read-only; name another place",
};

const missing: Readonly<Record<FileUse, string>> = {
  read: "there is no such file; check its name",
  written: "its folder does not exist; create it, or name another place",
};

/**
 * The message for a file error of the operating system: its cause and a remedy. An error whose code is not in the table
 * keeps its own message.
 * @example
 * fileProblem("a.json", "read", { code: "ENOENT" }); // "a.json cannot be read: there is no such file; check its name"
 */
export function fileProblem(path: string, use: FileUse, error: unknown): string {
  const code = error instanceof Object && "code" in error ? String(error.code) : "";
  const reason = code === "ENOENT" ? missing[use] : reasons[code];
  return `${path} cannot be ${use}: ${reason ?? (error instanceof Error ? error.message : String(error))}`;
}
