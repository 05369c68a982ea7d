import { indexerMigrations } from "@plimsoll/indexer";
import { matcherMigrations } from "@plimsoll/matcher";
import { notifierMigrations } from "@plimsoll/notifier";
import { registryMigrations } from "@plimsoll/registry";
import { openStore, type Store } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const migrations = [indexerMigrations, matcherMigrations, notifierMigrations, registryMigrations];

/** A column of a table that refers to another table, or that an index begins with. */
interface Column {
  readonly table_name: string;
  readonly column_name: string;
}

const ofSqlite = {
  references: sql<Column>`select t.name as table_name, f."from" as column_name
    from sqlite_schema t, pragma_foreign_key_list(t.name) f where t.type = 'table'`,
  /** A partial index serves when it leaves out only rows that refer to nothing. */
  indexes: sql<Column>`select t.name as table_name, c.name as column_name
    from sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
    left join sqlite_schema s on s.name = i.name
    where t.type = 'table' and c.seqno = 0 and (i.partial = 0 or s.sql like '% where ' || c.name || ' is not null')`,
};

const ofPostgres = {
  references: sql<Column>`select c.conrelid::regclass::text as table_name, a.attname as column_name
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f'`,
  indexes: sql<Column>`select i.indrelid::regclass::text as table_name, a.attname as column_name
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = '(' || a.attname || ' IS NOT NULL)'`,
};

async function namesOf(store: Store<unknown>, which: "references" | "indexes"): Promise<readonly string[]> {
  const { rows } = await (store.kind === "sqlite" ? ofSqlite : ofPostgres)[which].execute(store.db);
  return [...new Set(rows.map(({ table_name, column_name }) => `${table_name}.${column_name}`))].sort();
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "the schema on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("has an index for every column that refers to another table", async () => {
      await using database = await engine.create();
      await using store = await openStore<unknown>(database.location, { migrations });

      const references = await namesOf(store, "references");
      const indexes = new Set(await namesOf(store, "indexes"));

      expect(references.length).toBeGreaterThan(40);
      expect(references.filter((column) => !indexes.has(column))).toEqual([]);
    });
  },
);
