import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

/** Adds a table of the ecosystems of images whose reports are not stored. */
export const ecosystemsMigration: Migration = {
  name: "0006-ecosystems",
  async up(db, kind) {
    const text = kind === "sqlite" ? "text" : 'text collate "C"';
    await sql.raw(`create table indexer_ecosystem (ecosystem ${text} not null primary key)`).execute(db);
  },
};
