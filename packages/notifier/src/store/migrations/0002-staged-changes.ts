import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

const columns = (text: string) => `updater ${text} not null, manifest ${text} not null,
  vulnerability integer not null, is_added integer not null, primary key (updater, manifest, vulnerability, is_added)`;

/** Creates the table for the changes of an update operation until all are known. It is unlogged, because lost changes can be queried again. */
export const stagedChangesMigration: Migration = {
  name: "0002-staged-changes",
  async up(db, kind) {
    const table =
      kind === "sqlite"
        ? `create table staged_change (${columns("text")}) without rowid`
        : `create unlogged table staged_change (${columns('text collate "C"')})`;
    await sql.raw(table).execute(db);
  },
};
