import { sql } from "kysely";
import { readLength } from "../../../store/bounded-reads.ts";
import type { RegistryDb, Row } from "../../../store/tables/all.ts";

/** The counts of a repository on a day. */
export type DailyCounts = Row<"daily_finding_count">;

/** The counts of some repositories from a day on, each with the last counts before that day, which still hold on it. */
export function listDailyCounts(
  db: RegistryDb,
  { repositoryIds, firstDay }: { readonly repositoryIds: readonly string[]; readonly firstDay: string },
): Promise<readonly DailyCounts[]> {
  return db
    .selectFrom("daily_finding_count as stored")
    .selectAll()
    .where("repository_id", "in", repositoryIds)
    .where("day", ">=", ({ selectFrom }) =>
      selectFrom("daily_finding_count as earlier")
        .select(({ fn }) => fn.coalesce(fn.max("earlier.day"), sql<string>`${firstDay}`).as("day"))
        .whereRef("earlier.repository_id", "=", "stored.repository_id")
        .where("earlier.day", "<=", firstDay),
    )
    .orderBy("repository_id")
    .orderBy("day")
    .limit(readLength)
    .execute();
}

/** Stores the counts of a day, or replaces them. */
export async function putDailyCounts(db: RegistryDb, counts: DailyCounts): Promise<void> {
  const { repository_id: _, day: __, ...changes } = counts;
  await db
    .insertInto("daily_finding_count")
    .values(counts)
    .onConflict((conflict) => conflict.columns(["repository_id", "day"]).doUpdateSet(changes))
    .execute();
}

/** Deletes the counts of days before a day, except the last ones, which still hold on that day. */
export async function deleteDailyCounts(db: RegistryDb, repositoryId: string, before: string): Promise<void> {
  await db
    .deleteFrom("daily_finding_count")
    .where("repository_id", "=", repositoryId)
    .where("day", "<", ({ selectFrom }) =>
      selectFrom("daily_finding_count as later")
        .select(({ fn }) => fn.coalesce(fn.max("later.day"), sql<string>`''`).as("day"))
        .where("later.repository_id", "=", repositoryId)
        .where("later.day", "<=", before),
    )
    .execute();
}
