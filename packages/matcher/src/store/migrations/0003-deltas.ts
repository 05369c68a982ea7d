import type { Migration } from "@plimsoll/store";
import { create, recordStaging } from "./staging.ts";

/** Makes room for the records that a delta names. On SQLite staging tables are rebuilt for each process. */
export const deltasMigration: Migration = {
  name: "0003-deltas",
  async up(db, kind) {
    if (kind === "postgres") await create(db, kind, `create unlogged table ${recordStaging}`);
  },
};
