import type pg from "pg";
import { StoreError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { tablesOf } from "./postgres-snapshot.ts";
import { isOfOneDatabase, type Snapshot } from "./snapshot.ts";

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Copies all rows into a migrated PostgreSQL database without rows, in one transaction. Foreign keys are dropped meanwhile, because tables
 * may refer to each other in circles. Adding them again checks every row.
 * @returns the number of rows by table
 * @throws StoreError `not_empty`
 */
export async function fillPostgres(
  client: pg.Client,
  source: Snapshot,
  { shown, signal }: { readonly shown: string; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, number>> {
  await client.query("begin");
  const tables = (await tablesOf(client)).filter((table) => !isOfOneDatabase(table));
  await refuseRows(client, shown, tables);
  const foreignKeys = await foreignKeysOf(client);
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`);
  const copied = new Map<string, number>();
  for (const table of tables) copied.set(table, await fillTable(client, source, { table, signal }));
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`);
  await continueIdentities(client);
  await client.query("commit");
  await client.query("analyze");
  return copied;
}

async function fillTable(
  client: pg.Client,
  source: Snapshot,
  { table, signal }: { readonly table: string; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  // Each row is an object whose members are the columns by name, so that the order of columns does not matter.
  const insert = `insert into ${quoted(table)} overriding system value
    select * from json_populate_recordset(null::${quoted(table)}, $1)`;
  let rows = 0;
  for await (const page of source.rows(table)) {
    signal?.throwIfAborted();
    await client.query(insert, [JSON.stringify(page)]);
    rows += page.length;
  }
  return rows;
}

async function refuseRows(client: pg.Client, shown: string, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rowCount } = await client.query(`select 1 from ${quoted(table)} limit 1`);
    if (rowCount === 0) continue;
    throw new StoreError("not_empty", `${shown} already has rows in the table ${table}: name an empty database`);
  }
}

async function foreignKeysOf(client: pg.Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint join pg_class on pg_class.oid = conrelid
     where contype = 'f' and connamespace = current_schema()::regnamespace order by relname, conname`,
  );
  return rows;
}

/** Makes generated ids continue after the copied ones. */
async function continueIdentities(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ readonly table: string; readonly column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES'`,
  );
  for (const { table, column } of rows) {
    const [named, from] = [quoted(column), quoted(table)];
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${named}), 0) + 1, false) from ${from}`,
      [from, column],
    );
  }
}
