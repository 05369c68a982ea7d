import type { ScanError, StoreError } from "@plimsoll/scanner";

/** The exit codes of the command. */
export const exitCodes = {
  ok: 0,
  /** `--fail-on` found something. */
  gate: 1,
  usage: 2,
  /** The scan failed; or it was incomplete, under `--strict`, or where `--fail-on` found nothing in what could be assessed. */
  scan: 3,
  /** The database cannot be used; or does not reach back to `--as-of`; or, for `--fail-on` and under `--strict`, it has no advisory data or too old ones. */
  database: 4,
  /** Another process is doing the same: a feed was skipped. */
  busy: 5,
  /** Ctrl-C: 128 and the number of the signal, as shells say it. */
  interrupted: 130,
  /** SIGTERM, likewise. */
  terminated: 143,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The words of a call were off; the message says which and what would do. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The exit code that an error ends the command with. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage;
  if (isScanError(error) && error.code === "unsupported_source") return exitCodes.usage;
  if (isScanError(error) && error.code === "before_history") return exitCodes.database;
  if (isStoreError(error)) return exitCodes.database;
  return exitCodes.scan;
}

/** Errors of the library are told by their names: a wrong word is refused without loading the library. */
export function isScanError(error: unknown): error is ScanError {
  return error instanceof Error && error.name === "ScanError";
}

/** Likewise. */
export function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === "StoreError";
}
