import { sql } from "kysely";
import type { RegistryDb } from "../../store/tables/all.ts";
import { dayOf } from "../../values/dates.ts";

/** How often a repository was used, by day, from a day on; a day of which nothing is known is not among them. */
export async function findDailyCounts(
  db: RegistryDb,
  repositoryId: string,
  firstDay: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("daily_action_count")
    .select(["day", "count"])
    .where("repository_id", "=", repositoryId)
    .where("day", ">=", firstDay)
    .execute();
  return new Map(rows.map(({ day, count }) => [day, count]));
}

/**
 * Stores how many entries of the usage log some repositories have in a span of time, as the count of its day. A repeated call
 * changes nothing.
 */
export async function enterDailyCounts(
  db: RegistryDb,
  repositoryIds: readonly string[],
  { startAt, endAt }: { readonly startAt: number; readonly endAt: number },
): Promise<void> {
  await db
    .insertInto("daily_action_count")
    .columns(["repository_id", "day", "count"])
    .expression((from) =>
      from
        .selectFrom("usage_log")
        .select(({ fn }) => ["repository_id", sql.val(dayOf(startAt)).as("day"), fn.countAll<number>().as("count")])
        .where("repository_id", "in", repositoryIds)
        .where("at", ">=", startAt)
        .where("at", "<", endAt)
        .groupBy("repository_id")
        .$narrowType<{ repository_id: string }>(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the counts before a day. */
export async function deleteDailyCounts(db: RegistryDb, before: string): Promise<void> {
  await db.deleteFrom("daily_action_count").where("day", "<", before).execute();
}
