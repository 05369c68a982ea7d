import { createHash } from "node:crypto";
import { type Dialect, PostgresDialect } from "kysely";
import pg from "pg";
import { StoreError } from "../errors.ts";
import type { PreparedRead, SqlRow } from "../store.ts";

/** Type number of `bigint`. @see https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat */
const int8 = 20;

/** Instants and counts are `bigint` columns and fit a JavaScript number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: "text" | "binary") =>
    id === int8 ? Number : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
};

/** A pool of connections; nothing is connected before the first query. */
export function postgresPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, types, max: 10, application_name: "plimsoll" });
  // An idle connection that the server ends is replaced by the pool; without a listener the event would end the process.
  pool.on("error", () => {});
  return pool;
}

/** One connection outside the pool. */
export function postgresClient(url: string): pg.Client {
  return new pg.Client({ connectionString: url, types, application_name: "plimsoll locks" });
}

/** The dialect over a pool. Closing the Kysely instance ends the pool. */
export function postgresDialect(pool: pg.Pool): Dialect {
  return new PostgresDialect({ pool });
}

/** Prepares a read on whichever connection runs it first. */
export function preparePostgresRead(pool: pg.Pool, text: string): PreparedRead {
  const name = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  return async (...parameters) => {
    const result = await pool.query<SqlRow & unknown[]>({ name, text, values: [...parameters], rowMode: "array" });
    return result.rows;
  };
}

/** Connects once, so that a wrong address is told at once. @throws StoreError `cannot_open` */
export async function checkPostgres(pool: pg.Pool, shown: string): Promise<void> {
  try {
    await pool.query("select 1");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    throw new StoreError("cannot_open", `cannot connect to ${shown} (${reason}): check the address and that it runs`, {
      cause,
    });
  }
}
