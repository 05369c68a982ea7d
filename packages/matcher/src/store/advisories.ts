import { type Advisory, type AdvisorySource, ScanError } from "@plimsoll/core";
import type { FeedCoverage } from "@plimsoll/core/internal";
import { type SelectQueryBuilder, sql } from "kysely";
import { decodeAdvisory, type RuleColumns } from "./advisory-row.ts";
import { ruleFinder } from "./rule-rows.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";
import { holdsNow, visibleAt } from "./visible-at.ts";

/** Selects a state of the advisories. */
export interface AdvisoriesOptions {
  /**
   * Epoch milliseconds: selects the advisories of that time. Absent: the current ones. `coverage` throws ScanError `before_history`
   * if the feed of an ecosystem is loaded now but its update operations of that time are not kept.
   */
  readonly asOf?: number;
  /** Epoch milliseconds: feeds that were last checked before this time count as outdated. Absent: the report does not state it. */
  readonly outdatedBefore?: number;
}

/**
 * The source of advisories of a store, for the engine.
 * @example
 * declare const store: MatcherStore;
 * declare const indexReport: IndexReport;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const report = await matchReport(engine, indexReport, { advisories: advisoriesOf(store) });
 */
export function advisoriesOf(store: MatcherStore, options: AdvisoriesOptions = {}): AdvisorySource {
  const { asOf } = options;
  return {
    lookup: ruleFinder(store, asOf),
    details: (ids) => findDetails(store, ids, asOf),
    names: (ecosystem) => findNames(store, ecosystem, asOf),
    coverage: async (ecosystems) => {
      const storable = ecosystems.filter((ecosystem) => !ecosystem.includes("\0")); // PostgreSQL's text has no NUL
      const feeds = await findCoverage(store, storable, options);
      if (asOf !== undefined) await checkHistory(store, feeds, asOf);
      return feeds;
    },
  };
}

/** The names of the packages that an ecosystem's advisories are about, now or at an earlier time. */
async function findNames(
  { db }: MatcherStore,
  ecosystem: string,
  asOf: number | undefined,
): Promise<readonly string[]> {
  const query =
    asOf === undefined
      ? db
          .selectFrom("current_rules as c")
          .innerJoin("updater as u", "u.name", "c.updater")
          .select("c.package_name")
          .where("c.ecosystem", "=", ecosystem)
          .where(sql<boolean>`${sql.raw(holdsNow("c"))}`)
      : db
          .selectFrom("advisory")
          .select("package_name")
          .where("ecosystem", "=", ecosystem)
          .where(visibleAt("advisory", asOf));
  const rows = await query.distinct().execute();
  return rows.map(({ package_name }) => package_name);
}

/** The number of ids of one statement. */
const idsPerQuery = 1_000;

/** Finds the advisories with the given ids, now or at an earlier time. */
async function findDetails(
  store: MatcherStore,
  ids: readonly string[],
  asOf: number | undefined,
): Promise<readonly Advisory[]> {
  const found = new Map<string, Advisory>();
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const page = ids.slice(at, at + idsPerQuery);
    let query = detailQuery(store)
      .innerJoin("updater", "updater.name", "advisory.updater")
      .where("advisory_id", "in", page);
    if (asOf !== undefined) query = query.where(visibleAt("advisory", asOf));
    else query = query.whereRef("valid_from", "<=", "updater.seq");
    // An update may become visible between look-up and details: the newest visible row of each id wins.
    const rows = await query.orderBy("valid_from").execute();
    for (const row of rows) found.set(row.advisory_id, decodeAdvisory(row, row.updater, row.text));
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

type DetailRow = RuleColumns & { updater: string; text: string };

/** The query for whole advisories with their texts. */
export function detailQuery({
  db,
}: MatcherStore): SelectQueryBuilder<MatcherTables, "advisory" | "shared_text", DetailRow> {
  return db
    .selectFrom("advisory")
    .innerJoin("shared_text", "shared_text.id", "advisory.text_id")
    .select([
      "advisory_id",
      "ecosystem",
      "package_name",
      "advisory.name",
      "statement",
      "fixed",
      "extra",
      "updater",
      "text",
    ]);
}

/** The coverage of ecosystems. Of several feeds for one ecosystem, the one checked longest ago counts. */
async function findCoverage(
  { db }: MatcherStore,
  ecosystems: readonly string[],
  { asOf, outdatedBefore }: AdvisoriesOptions,
): Promise<readonly FeedCoverage[]> {
  if (ecosystems.length === 0) return [];
  const rows = await (asOf === undefined
    ? db
        .selectFrom("updater_ecosystem as e")
        .innerJoin("updater", "updater.name", "e.updater")
        .select(({ fn }) => ["e.ecosystem", fn.min("checked_at").as("checkedAt")])
        .where("e.ecosystem", "in", ecosystems)
        .where("e.valid_to", "is", null)
        .groupBy("e.ecosystem")
        .execute()
    : db
        .selectFrom("updater_ecosystem as e")
        .innerJoin(latestUntil(db, asOf), "o.updater", "e.updater")
        .select(({ fn }) => ["e.ecosystem", fn.min("o.date").as("checkedAt")])
        .where("e.ecosystem", "in", ecosystems)
        .whereRef("e.valid_from", "<=", "o.seq")
        .where(({ or, eb, ref }) => or([eb("e.valid_to", "is", null), eb("e.valid_to", ">", ref("o.seq"))]))
        .groupBy("e.ecosystem")
        .execute());
  const checked = new Map(rows.map(({ ecosystem, checkedAt }) => [ecosystem, Number(checkedAt)]));
  const failures = asOf === undefined ? await findFailures(db, ecosystems) : new Map<string, string>();
  return ecosystems.map((ecosystem) => {
    const checkedAt = checked.get(ecosystem);
    if (checkedAt === undefined) return { ecosystem, covered: false };
    const outdated = outdatedBefore === undefined ? {} : { outdated: checkedAt < outdatedBefore };
    const failure = failures.get(ecosystem);
    return { ecosystem, covered: true, checkedAt, ...outdated, failure };
  });
}

/** The failures of the last updates of feeds, by ecosystem: `debian: expected JSON`. */
async function findFailures(
  db: MatcherStore["db"],
  ecosystems: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("updater_ecosystem as e")
    .innerJoin("failed_update as f", "f.updater", "e.updater")
    .select(["e.ecosystem", "f.updater", "f.message"])
    .where("e.ecosystem", "in", ecosystems)
    .where("e.valid_to", "is", null)
    .orderBy("f.updater", "desc")
    .execute();
  return new Map(rows.map(({ ecosystem, updater, message }) => [ecosystem, `${updater}: ${message}`]));
}

function latestUntil(db: MatcherStore["db"], asOf: number) {
  return db
    .selectFrom("update_operation")
    .select(({ fn }) => ["updater", fn.max("seq").as("seq"), fn.max("date").as("date")])
    .where("date", "<=", asOf)
    .groupBy("updater")
    .as("o");
}

/**
 * Refuses a time before the kept history of an ecosystem's advisories: "no advisory" would be a wrong answer for an ecosystem that is loaded
 * now.
 * @param feeds the coverage at that time
 * @param asOf epoch milliseconds
 * @throws ScanError `before_history`
 */
async function checkHistory({ db }: MatcherStore, feeds: readonly FeedCoverage[], asOf: number): Promise<void> {
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
