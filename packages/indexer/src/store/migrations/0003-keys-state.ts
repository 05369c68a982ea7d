import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

const statements = [
  "alter table indexer_manifest add column keys_state TEXT not null default ''",
  "alter table indexer_record add column keys_state TEXT not null default ''",
  "create index indexer_manifest_keys on indexer_manifest (keys_state)",
  "create table indexer_keys_state (keys_state TEXT not null primary key, announced_at bigint not null)",
];

/** Adds the keys state of stored keys. Existing keys get a state that no engine has. */
export const keysStateMigration: Migration = {
  name: "0003-keys-state",
  async up(db, kind) {
    const text = kind === "sqlite" ? "text" : 'text collate "C"';
    for (const statement of statements) await sql.raw(statement.replaceAll("TEXT", text)).execute(db);
  },
};
