/**
 * What can go wrong with a database as a whole, as stable codes. Each code has a sentence and a remedy in
 * `docs/reference/errors.md`.
 */
export const storeErrorCodes = [
  "cannot_open",
  "corrupt",
  "disk_full",
  "lock_lost",
  "locked",
  "migration_failed",
  "newer_schema",
  "not_a_database",
  "not_found",
  "older_schema",
  "read_only",
  "unsupported_location",
] as const;

/** One of {@link storeErrorCodes}. */
export type StoreErrorCode = (typeof storeErrorCodes)[number];

/** An error of the database as a whole. The message names the database and what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
