/** What was wanted of a file that could not be had. */
export type FileUse = "read" | "written";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "its permissions do not allow it to this user",
  EDQUOT: "this user has no room left; make some, or name another place",
  EISDIR: "it is a folder, and a file is expected",
  ELOOP: "its symbolic links lead nowhere",
  EMFILE: "too many files are open; allow more with ulimit -n",
  ENAMETOOLONG: "its name is too long",
  ENOSPC: "the disk is full; make room, or name another place",
  ENOTDIR: "a part of its path is a file and no folder",
  EPERM: "its permissions do not allow it to this user",
  EROFS: "its file system is read-only; name another place",
};

const missing: Readonly<Record<FileUse, string>> = {
  read: "there is no such file; check its name",
  written: "its folder is not there; make it, or name another place",
};

/**
 * Explains an error of the operating system on a file, and what to do, for a message. An error without a code that is known
 * here is told as it is.
 * @example
 * fileProblem("a.json", "read", { code: "ENOENT" }); // "a.json cannot be read: there is no such file; check its name"
 */
export function fileProblem(path: string, use: FileUse, error: unknown): string {
  const code = error instanceof Object && "code" in error ? String(error.code) : "";
  const reason = code === "ENOENT" ? missing[use] : reasons[code];
  return `${path} cannot be ${use}: ${reason ?? (error instanceof Error ? error.message : String(error))}`;
}
