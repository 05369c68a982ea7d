import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

/** Adds to each update operation the number of its feed's rows, and the feed's unusable records. */
export const droppedRecordsMigration: Migration = {
  name: "0002-dropped-records",
  async up(db) {
    for (const column of columns) await sql.raw(`alter table update_operation add column ${column}`).execute(db);
    await sql.raw(countRows).execute(db);
  },
};

const columns = ["row_count bigint not null default 0", "dropped_count bigint not null default 0", "dropped text"];

/** Counts the rows of each updater's latest operation, which are those that have not ended; those of earlier operations are unknown. */
const countRows = `update update_operation set row_count =
    (select count(*) from advisory where advisory.updater = update_operation.updater and valid_to is null)
    + (select count(*) from enrichment where enrichment.updater = update_operation.updater and valid_to is null)
  where seq in (select max(seq) from update_operation group by updater)`;
