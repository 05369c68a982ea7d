import type { Migration } from "@plimsoll/store";
import { create } from "./staging.ts";

/** Adds a table of feeds whose last update failed. */
export const failedUpdatesMigration: Migration = {
  name: "0004-failed-updates",
  async up(db, kind) {
    await create(db, kind, table);
  },
};

const table = `create table failed_update (updater TEXT not null primary key, failed_at bigint not null,
  code TEXT not null, message TEXT not null)`;
