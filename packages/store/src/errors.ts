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
  "not_empty",
  "not_found",
  "older_schema",
  "read_only",
  "timed_out",
  "unavailable",
  "unsupported_location",
] as const;

/** One of {@link storeErrorCodes}. */
export type StoreErrorCode = (typeof storeErrorCodes)[number];

/** Conditions that pass without a change of the request, and after how many seconds to try again. */
const retrySeconds: Partial<Readonly<Record<StoreErrorCode, number>>> = {
  disk_full: 60,
  lock_lost: 5,
  locked: 5,
  read_only: 30,
  timed_out: 10,
  unavailable: 5,
};

/**
 * An error of the database as a whole. The message names the database and what to do.
 * @example
 * try {
 *   await openStore("postgres://db.example/scans", { migrations: [] });
 * } catch (error) {
 *   if (error instanceof StoreError) console.log(error.code, error.retryAfterSeconds);
 * }
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  /** When to try again; absent where trying again does not help. */
  readonly retryAfterSeconds?: number;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    const seconds = retrySeconds[code];
    if (seconds !== undefined) this.retryAfterSeconds = seconds;
  }
}

/** Codes that say that the database can be read but not written at the moment. */
const unwritable: ReadonlySet<StoreErrorCode> = new Set(["disk_full", "read_only"]);

/**
 * Whether an error says that the database can be read but not written at the moment.
 * @example
 * cannotWrite(new StoreError("read_only", "a standby")); // true
 * cannotWrite(new StoreError("unavailable", "no connection")); // false
 */
export function cannotWrite(error: unknown): error is StoreError {
  return error instanceof StoreError && unwritable.has(error.code);
}

/** Codes of conditions that meet every request until they end. */
export const outageCodes = ["unavailable", "read_only", "disk_full"] as const satisfies readonly StoreErrorCode[];

/**
 * Whether an error is an outage of the database. It is told once, to the `onTrouble` of the store, and not for each request.
 * @example
 * isOutage(new StoreError("disk_full", "the disk is full")); // true
 * isOutage(new StoreError("lock_lost", "another process has it")); // false
 */
export function isOutage(error: unknown): error is StoreError {
  return error instanceof StoreError && outageCodes.some((code) => code === error.code);
}

/**
 * What a client may be told of an error of the database: neither its message, which names the database, nor its cause.
 * The status is 503, with `Retry-After`.
 * @example
 * publicMessage(new StoreError("disk_full", "/var/lib has no space")); // "the database cannot be changed at the moment: try again later"
 */
export function publicMessage(error: StoreError): string {
  if (cannotWrite(error)) return "the database cannot be changed at the moment: try again later";
  return "the database cannot be used at the moment: try again later";
}

/**
 * Whether a statement failed for a condition of the database that passes, and not for what it says.
 * @example
 * cannotUse(new StoreError("unavailable", "no connection")); // true
 * cannotUse(new Error("a mistake of ours")); // false
 */
export function cannotUse(error: unknown): error is StoreError {
  return error instanceof StoreError && error.retryAfterSeconds !== undefined;
}
