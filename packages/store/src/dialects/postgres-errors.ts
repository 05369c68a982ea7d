import { StoreError, type StoreErrorCode } from "../errors.ts";

/**
 * SQLSTATEs, and classes of them, for errors of the server as a whole.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const states: ReadonlyMap<string, StoreErrorCode> = new Map([
  ["08", "unavailable"], // connection exception
  ["25006", "read_only"], // read_only_sql_transaction: a standby, or default_transaction_read_only
  ["25P03", "unavailable"], // idle_in_transaction_session_timeout
  ["53100", "disk_full"],
  ["53", "unavailable"], // out of memory, too many connections
  ["55P03", "timed_out"], // lock_not_available
  ["57014", "timed_out"], // query_canceled, by statement_timeout
  ["57P", "unavailable"], // shut down, crashed, starting up
  ["58", "unavailable"], // system error
]);

const remedies: Partial<Readonly<Record<StoreErrorCode, string>>> = {
  disk_full: "cannot grow: the disk of the database server is full",
  read_only: "takes no changes: it is a standby, or set to read-only",
  timed_out: "took longer than its time-out: see databaseStatementSeconds and databaseLockSeconds",
  unavailable: "cannot be used at the moment",
};

/** Messages of `pg`'s own errors about connections, which have no code. */
const brokenConnection =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e|Query read timeout|Cannot use a pool after)/;

/** The errors of Node's sockets and resolver have codes like `ECONNRESET`. */
const socketCode = /^E[A-Z_]+$/;

/** Converts an error of the server as a whole to a StoreError; other errors are returned unchanged. */
export function explainPostgres(error: unknown, shown: string): unknown {
  const code = postgresErrorCode(error);
  return code === undefined ? error : postgresError(code, error, shown);
}

/** The code of an error about the server as a whole; undefined for an error of one statement. */
function postgresErrorCode(error: unknown): StoreErrorCode | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as Error & { readonly code?: unknown };
  if (typeof code !== "string") return brokenConnection.test(error.message) ? "unavailable" : undefined;
  const state = states.get(code) ?? states.get(code.slice(0, 3)) ?? states.get(code.slice(0, 2));
  return state ?? (socketCode.test(code) ? "unavailable" : undefined);
}

/** The StoreError for a connection that could not be opened. */
export function noConnection(error: unknown, shown: string): StoreError {
  return postgresError(postgresErrorCode(error) ?? "unavailable", error, shown);
}

function postgresError(code: StoreErrorCode, cause: unknown, shown: string): StoreError {
  const reason =
    cause instanceof Error ? cause.message || (cause as { code?: string }).code || cause.name : String(cause);
  return new StoreError(code, `${shown} ${remedies[code] ?? "failed"} (${reason})`, { cause });
}
