import type { ScanError, StoreError } from "@plimsoll/scanner";

/** The exit codes of the command. */
export const exitCodes = {
  ok: 0,
  /** `--fail-on` found something. */
  gate: 1,
  usage: 2,
  /** The scan failed; or it was incomplete, with `--strict`, or with `--fail-on` and no finding. */
  scan: 3,
  /** The database cannot be used, or does not reach back to `--as-of`; with `--fail-on` or `--strict`: its data are missing or too old. */
  database: 4,
  /** Another process is updating a feed, which was skipped. */
  busy: 5,
  /** An error that no code handled: the service has stopped, so that it is started anew. `EX_SOFTWARE` of `sysexits.h`. */
  failed: 70,
  /** Ctrl-C: 128 plus the number of the signal, as in shells. */
  interrupted: 130,
  /** SIGTERM, likewise. */
  terminated: 143,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A wrong argument or setting; the message says which one, and what was expected. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage;
  if (isScanError(error) && error.code === "unsupported_source") return exitCodes.usage;
  if (isScanError(error) && error.code === "before_history") return exitCodes.database;
  if (isStoreError(error)) return error.code === "unsupported_location" ? exitCodes.usage : exitCodes.database;
  return exitCodes.scan;
}

/** Recognizes errors of the library by their name, so that the library need not be loaded to reject a wrong argument. */
export function isScanError(error: unknown): error is ScanError {
  return error instanceof Error && error.name === "ScanError";
}

/** As {@link isScanError}. */
export function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === "StoreError";
}
