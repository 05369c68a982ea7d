import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

/** Adds a table of the names under which images were scanned, and marks the images that are stored only because of that. */
export const scannedMigration: Migration = {
  name: "0007-scanned",
  async up(db, kind) {
    const text = kind === "sqlite" ? "text" : 'text collate "C"';
    await sql
      .raw(`create table indexer_scanned (name ${text} not null, platform ${text} not null, manifest_digest ${text} not null,
        scanned_at bigint not null, primary key (name, platform))`)
      .execute(db);
    await sql.raw("create index indexer_scanned_manifest on indexer_scanned (manifest_digest)").execute(db);
    await sql.raw("alter table indexer_manifest add column scanned integer not null default 0").execute(db);
  },
};
