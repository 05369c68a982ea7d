import { ScanError } from "@plimsoll/scanner";

/** What the command's exit status says. */
export const exitCodes = {
  ok: 0,
  /** `--fail-on` found something. */
  gate: 1,
  usage: 2,
  /** The scan failed, or under `--strict` it was incomplete. */
  scan: 3,
  /** Under `--strict`: there is no advisory data, or it is too old. */
  database: 4,
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
  if (error instanceof ScanError && error.code === "unsupported_source") return exitCodes.usage;
  return exitCodes.scan;
}
