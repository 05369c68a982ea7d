import { type FileUse, fileProblem } from "@plimsoll/core";

/** What the operating system refused, as Node tells it. */
interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly dest?: string;
}

/** Whether an error is one of the operating system that has no message of ours yet. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error;
}

const writing: ReadonlySet<string> = new Set(["mkdir", "write", "rename", "link", "unlink", "ftruncate", "fsync"]);

/** The message of such an error, where the code nearer to it has made none. */
export function describeSystemError(error: SystemError): string {
  const { syscall, path, dest, message } = error;
  if (path === undefined) return `${message}; the operating system refused it`;
  const use: FileUse = writing.has(syscall) ? "written" : "read";
  return fileProblem(dest ?? path, use, error);
}
