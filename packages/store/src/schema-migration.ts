import {
  type ColumnBuilderCallback,
  type ColumnDefinitionBuilder,
  type RawBuilder,
  type SchemaModule,
  sql,
} from "kysely";
import type { Migration } from "./migrate.ts";
import type { StoreKind } from "./store.ts";

/** A statement of a migration: a table, an index or a change that Kysely's schema builder has built. */
export interface SchemaStatement {
  execute(): Promise<unknown>;
}

/** What {@link schemaMigration} builds statements with: Kysely's schema builder, and the types and properties that columns have. */
export interface SchemaTools {
  readonly schema: SchemaModule;
  readonly kind: StoreKind;
  /** The type of text that both databases compare and sort by its bytes. `"text"` sorts as the PostgreSQL database does. */
  readonly text: "text" | RawBuilder<string>;
  /** The type of a primary key that the database generates. */
  readonly id: RawBuilder<number>;
  readonly notNull: ColumnBuilderCallback;
  /** Not null, and the whole primary key. */
  readonly primaryKey: ColumnBuilderCallback;
  /** Not null, and no two rows have the same value. */
  readonly unique: ColumnBuilderCallback;
  /** Not null, and 0 if a row does not say it. */
  readonly zero: ColumnBuilderCallback;
  /** Not null, and the row is deleted with the row that it belongs to. @param owner `table.column` */
  partOf(owner: string): (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

/** Builds statements of a migration, in their order. */
export type BuildSchema = (tools: SchemaTools) => readonly SchemaStatement[];

/**
 * A migration that runs statements of Kysely's schema builder, which are the same for both databases.
 * @example
 * const addAge = schemaMigration("0002-age", ({ schema, zero }) => [schema.alterTable("ship").addColumn("age", "integer", zero)]);
 */
export function schemaMigration(name: string, ...parts: readonly BuildSchema[]): Migration {
  return {
    name,
    async up(db, kind) {
      const tools = schemaTools(db.schema, kind);
      for (const build of parts) for (const statement of build(tools)) await statement.execute();
    },
  };
}

/**
 * The tools of {@link schemaMigration} for one database, for temporary tables.
 * @example
 * await using store = await openStore(":memory:", { migrations: [] });
 * const { schema, text } = schemaTools(store.db.schema, store.kind);
 * await schema.createTable("note").temporary().addColumn("text", text).execute();
 */
export function schemaTools(schema: SchemaModule, kind: StoreKind): SchemaTools {
  const isSqlite = kind === "sqlite";
  return {
    schema,
    kind,
    text: isSqlite ? "text" : sql`text collate "C"`,
    id: isSqlite ? sql`integer primary key` : sql`bigint generated always as identity primary key`,
    notNull: (column) => column.notNull(),
    primaryKey: (column) => column.notNull().primaryKey(),
    unique: (column) => column.notNull().unique(),
    zero: (column) => column.notNull().defaultTo(0),
    partOf: (owner) => (column) => column.notNull().references(owner).onDelete("cascade"),
  };
}
