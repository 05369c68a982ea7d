import type { Migration, StoreKind } from "@plimsoll/store";
import { sql } from "kysely";

/**
 * A step that is a list of statements. `TEXT` orders bytewise on both engines; `SERIAL` is a primary key that the database
 * gives.
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
