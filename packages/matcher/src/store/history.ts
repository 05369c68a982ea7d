import { ScanError } from "@plimsoll/core";
import type { FeedCoverage } from "@plimsoll/core/report";
import type { MatcherStore } from "./tables.ts";

/**
 * Refuses a time before the kept history of an ecosystem's advisories: "no advisory" would be a wrong answer for an ecosystem that is loaded
 * now.
 * @param feeds the coverage at that time
 * @param asOf epoch milliseconds
 * @throws ScanError `before_history`
 */
export async function checkHistory({ db }: MatcherStore, feeds: readonly FeedCoverage[], asOf: number): Promise<void> {
  const ecosystems = feeds.filter(({ covered }) => !covered).map(({ ecosystem }) => ecosystem);
  if (ecosystems.length === 0) return;
  const known = await db
    .selectFrom("updater_ecosystem as e")
    .innerJoin("update_operation as o", "o.updater", "e.updater")
    .select(({ fn }) => ["e.ecosystem", fn.min("o.date").as("since")])
    .where("e.ecosystem", "in", ecosystems)
    .where("e.valid_to", "is", null)
    .groupBy("e.ecosystem")
    .having(({ fn }) => fn.min("o.date"), ">", asOf)
    .orderBy("e.ecosystem")
    .execute();
  const [first] = known;
  if (first === undefined) return;
  const since = new Date(Number(first.since)).toISOString();
  throw new ScanError(
    "before_history",
    `the advisories of ${first.ecosystem} are known since ${since}, and not as of ${new Date(asOf).toISOString()}: give a later time`,
  );
}
