import { sql } from "kysely";
import type { RegistryDb } from "../../store/tables/all.ts";
import { dayOf } from "../../values/dates.ts";

/** How often a repository was used, by day, from a day on; without the days that have no count. */
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

/** How often repositories were pulled, by day, from a day on. Days without a pull are not among them. */
export function listDailyPulls(
  db: RegistryDb,
  repositoryIds: readonly string[],
  firstDay: string,
): Promise<readonly { readonly repository_id: string; readonly day: string; readonly pulls: number }[]> {
  if (repositoryIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("daily_action_count")
    .select(["repository_id", "day", "pulls"])
    .where("repository_id", "in", repositoryIds)
    .where("day", ">=", firstDay)
    .where("pulls", ">", 0)
    .execute();
}

/**
 * Stores how many entries of the usage log some repositories have in a span of time, as the count of its day. A repeated call
 * changes nothing.
 */
export async function putDailyCounts(
  db: RegistryDb,
  repositoryIds: readonly string[],
  { startAt, endAt }: { readonly startAt: number; readonly endAt: number },
): Promise<void> {
  await db
    .insertInto("daily_action_count")
    .columns(["repository_id", "day", "count", "pulls"])
    .expression((from) =>
      from
        .selectFrom("usage_log")
        .select(({ fn }) => ["repository_id", sql.val(dayOf(startAt)).as("day"), fn.countAll<number>().as("count")])
        .select(sql<number>`sum(case when kind = 'pull_repo' then 1 else 0 end)`.as("pulls"))
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
