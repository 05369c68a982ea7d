import type pg from "pg";
import { quoted } from "../quoted.ts";
import { pageRows, type Row, type Snapshot } from "./snapshot.ts";

/** Opens a snapshot of a PostgreSQL database as of now. The caller connects and closes the client. */
export async function openPostgresSnapshot(client: pg.Client): Promise<Snapshot> {
  await client.query("begin isolation level repeatable read read only");
  return {
    async *rows(table) {
      await client.query(`declare page_of_rows no scroll cursor for select * from ${quoted(table)}`);
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${pageRows} from page_of_rows`);
        if (rows.length === 0) break;
        yield rows;
      }
      await client.query("close page_of_rows");
    },
    async [Symbol.asyncDispose]() {
      await client.query("rollback").catch(() => {}); // the connection may be gone
    },
  };
}

/** The tables of the current schema of a connection. */
export async function tablesOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() order by tablename",
  );
  return rows.map(({ name }) => name);
}
