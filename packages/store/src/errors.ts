/**
 * The stable codes of errors of a database as a whole. `docs/reference/errors.md` describes each code and its remedy.
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

/** Transient conditions, and the seconds after which to try again. */
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
  /** When to try again; absent if that does not help. */
  readonly retryAfterSeconds?: number;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    const seconds = retrySeconds[code];
    if (seconds !== undefined) this.retryAfterSeconds = seconds;
  }
}

/** Codes for a database that can be read but not written. */
const unwritable: ReadonlySet<StoreErrorCode> = new Set(["disk_full", "read_only"]);

/**
 * Whether an error means that the database can be read but not written at the moment.
 * @example
 * cannotWrite(new StoreError("read_only", "a standby")); // true
 * cannotWrite(new StoreError("unavailable", "no connection")); // false
 */
export function cannotWrite(error: unknown): error is StoreError {
  return error instanceof StoreError && unwritable.has(error.code);
}

/** Codes of conditions that affect every request until they end. */
export const outageCodes = ["unavailable", "read_only", "disk_full"] as const satisfies readonly StoreErrorCode[];

/**
 * Whether an error is an outage of the database. The `onTrouble` of the store reports it once, so do not log it for each request.
 * @example
 * isOutage(new StoreError("disk_full", "the disk is full")); // true
 * isOutage(new StoreError("lock_lost", "another process has it")); // false
 */
export function isOutage(error: unknown): error is StoreError {
  return error instanceof StoreError && outageCodes.some((code) => code === error.code);
}

/**
 * The message for clients about an error of the database. It does not contain the error's own message, which names the database, or its
 * cause. Send it with the status 503 and `Retry-After`.
 * @example
 * publicMessage(new StoreError("disk_full", "/var/lib has no space")); // "the database cannot be changed at the moment: try again later"
 */
export function publicMessage(error: StoreError): string {
  if (cannotWrite(error)) return "the database cannot be changed at the moment: try again later";
  return "the database cannot be used at the moment: try again later";
}

/**
 * Whether a statement failed because of a transient condition of the database, and not because of the statement.
 * @example
 * cannotUse(new StoreError("unavailable", "no connection")); // true
 * cannotUse(new Error("a mistake of ours")); // false
 */
export function cannotUse(error: unknown): error is StoreError {
  return error instanceof StoreError && error.retryAfterSeconds !== undefined;
}

/**
 * Does an unimportant write, such as the time of a last use. It is skipped while the database cannot be used: during a failover, or if the
 * disk is full. Do not use it in a transaction, which PostgreSQL ends with the first error.
 * @example
 * import type { Kysely } from "kysely";
 *
 * declare const db: Kysely<{ readonly token: { readonly id: string; readonly last_used_at: number } }>;
 * const used = db.updateTable("token").set({ last_used_at: Date.now() }).where("id", "=", "1");
 * await ifWritable(() => used.execute());
 */
export async function ifWritable(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!cannotUse(error)) throw error;
  }
}
