import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

/** Keeps with each update operation how many rows its feed had, and which of the feed's records could not be used. */
export const droppedRecordsMigration: Migration = {
  name: "0002-dropped-records",
  async up(db) {
    for (const column of columns) await sql.raw(`alter table update_operation add column ${column}`).execute(db);
    await sql.raw(countRows).execute(db);
  },
};

const columns = ["row_count bigint not null default 0", "dropped_count bigint not null default 0", "dropped text"];

/** Of earlier operations only the latest of each updater can be counted: its rows are those that hold now. */
const countRows = `update update_operation set row_count =
    (select count(*) from advisory where advisory.updater = update_operation.updater and valid_to is null)
    + (select count(*) from enrichment where enrichment.updater = update_operation.updater and valid_to is null)
  where seq in (select max(seq) from update_operation group by updater)`;
