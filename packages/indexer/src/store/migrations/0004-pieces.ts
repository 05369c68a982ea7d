import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

const statements = [
  "create table indexer_piece (name TEXT not null, number integer not null, piece text not null, primary key (name, number))",
  "alter table indexer_layer add column more TEXT",
  "alter table indexer_manifest add column more TEXT",
  // the format has changed: layers are read again when they are needed
  "delete from indexer_layer",
];

/** Stores long texts in pieces. */
export const piecesMigration: Migration = {
  name: "0004-pieces",
  async up(db, kind) {
    const text = kind === "sqlite" ? "text" : 'text collate "C"';
    for (const statement of statements) await sql.raw(statement.replaceAll("TEXT", text)).execute(db);
  },
};
