import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

/** Adds a table of content that is not visible yet, or not any more. */
export const leftoversMigration: Migration = {
  name: "0005-leftovers",
  async up(db, kind) {
    const text = kind === "sqlite" ? "text" : 'text collate "C"';
    const columns = "name TEXT not null primary key, manifest_id bigint, owner TEXT";
    await sql.raw(`create table indexer_leftover (${columns})`.replaceAll("TEXT", text)).execute(db);
  },
};
