import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

/** Adds to each update operation what became of the records of its feed; unknown for earlier operations. */
export const accountsMigration: Migration = {
  name: "0007-accounts",
  async up(db) {
    await sql.raw("alter table update_operation add column account text").execute(db);
  },
};
