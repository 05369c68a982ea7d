import { type FileUse, fileProblem } from "@plimsoll/core/internal";

/** An error of a system call, as Node throws it. */
interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly dest?: string;
}

/** Whether Node threw an error for a failed system call. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error;
}

const writing: ReadonlySet<string> = new Set(["mkdir", "write", "rename", "link", "unlink", "ftruncate", "fsync"]);

/** The message for a system error that no other code has wrapped. */
export function describeSystemError(error: SystemError): string {
  const { syscall, path, dest, message } = error;
  if (path === undefined) return `${message}; the operating system refused it`;
  const use: FileUse = writing.has(syscall) ? "written" : "read";
  return fileProblem(dest ?? path, use, error);
}
