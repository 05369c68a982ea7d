import type { Migration, StoreKind } from "@plimsoll/store";
import { sql } from "kysely";

/**
 * A migration that runs a list of statements. `TEXT` is a text column in byte order, `SERIAL` a generated primary key, on both
 * databases.
 */
export function schemaMigration(name: string, statements: readonly string[]): Migration {
  return {
    name,
    async up(db, kind) {
      for (const statement of statements) await sql.raw(inDialect(statement, kind)).execute(db);
    },
  };
}

function inDialect(statement: string, kind: StoreKind): string {
  const isSqlite = kind === "sqlite";
  return statement
    .replaceAll("TEXT", isSqlite ? "text" : 'text collate "C"')
    .replaceAll("SERIAL", isSqlite ? "integer primary key" : "bigint generated always as identity primary key");
}
