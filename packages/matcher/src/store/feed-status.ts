import type { MatcherStore } from "./tables.ts";

/** One loaded feed. */
export interface FeedStatus {
  /** The updater's name. */
  readonly name: string;
  /** When it last brought something new. */
  readonly changedAt: number;
  /** When it was last found to be as it is here. */
  readonly checkedAt: number;
}

/** The feeds of advisories that are loaded, by name. Cheap, whatever the size of the feeds. */
export async function listFeeds({ db }: MatcherStore): Promise<readonly FeedStatus[]> {
  return db
    .selectFrom("update_operation")
    .innerJoin("updater", "updater.name", "update_operation.updater")
    .where("update_operation.kind", "=", "vulnerability")
    .groupBy(["updater.name", "updater.checked_at"])
    .orderBy("updater.name")
    .select((select) => [
      "updater.name as name",
      select.fn.max("update_operation.date").as("changedAt"),
      "updater.checked_at as checkedAt",
    ])
    .execute();
}

/** How many advisories of each feed hold now, by the feed's name. */
export async function countAdvisories({ db }: MatcherStore): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("advisory")
    .where("valid_to", "is", null)
    .groupBy("updater")
    .select((select) => ["updater", select.fn.countAll<number>().as("count")])
    .execute();
  return new Map(rows.map(({ updater, count }) => [updater, Number(count)]));
}
