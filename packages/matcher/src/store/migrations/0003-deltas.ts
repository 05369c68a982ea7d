import type { Migration } from "@plimsoll/store";
import { create, recordStaging } from "./staging.ts";

/** Adds a staging table of the records that a delta names. On SQLite, each process creates its staging tables itself. */
export const deltasMigration: Migration = {
  name: "0003-deltas",
  async up(db, kind) {
    if (kind === "postgres") await create(db, kind, `create unlogged table ${recordStaging}`);
  },
};
