import type { MatcherStore, UpdateKind } from "./tables.ts";

/** A record of a feed that could not be used. */
export interface FeedProblem {
  /** The document, and where in it. */
  readonly at: string;
  readonly message: string;
}

/** The records that the loaded state of a feed lacks, because they could not be used. */
export interface DroppedRecords {
  readonly count: number;
  /** The first of them, in the feed's order. */
  readonly first: readonly FeedProblem[];
}

/** One loaded feed. */
export interface FeedStatus {
  /** The updater's name. */
  readonly name: string;
  /** What it brings: advisories, or facts about vulnerabilities. */
  readonly kind: UpdateKind;
  /** By which the updater knows the state of the feed that is loaded; opaque. */
  readonly fingerprint: string;
  /** When it last brought something new. */
  readonly changedAt: number;
  /** When it was last found to be as it is here: a feed's age counts from then. */
  readonly checkedAt: number;
  /** Its advisories or facts that hold now. */
  readonly rows: number;
  readonly dropped: DroppedRecords;
}

/**
 * The feeds that are loaded, by name; of both kinds unless one is asked for. Cheap, whatever the size of the feeds.
 * @example
 * declare const store: MatcherStore;
 * for (const { name, checkedAt } of await listFeeds(store, { kind: "vulnerability" })) {
 *   console.log(name, new Date(checkedAt).toISOString());
 * }
 */
export async function listFeeds(
  { db }: MatcherStore,
  { kind }: { readonly kind?: UpdateKind } = {},
): Promise<readonly FeedStatus[]> {
  const latest = db
    .selectFrom("update_operation as other")
    .select(({ fn }) => fn.max("other.seq").as("seq"))
    .groupBy("other.updater");
  const rows = await db
    .selectFrom("update_operation as operation")
    .innerJoin("updater", "updater.name", "operation.updater")
    .where("operation.seq", "in", latest)
    .$if(kind !== undefined, (query) => query.where("operation.kind", "=", kind as UpdateKind))
    .orderBy("updater.name")
    .select(["name", "kind", "fingerprint", "date", "checked_at", "row_count", "dropped_count", "dropped"])
    .execute();
  return rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    fingerprint: row.fingerprint,
    changedAt: Number(row.date),
    checkedAt: Number(row.checked_at),
    rows: Number(row.row_count),
    dropped: { count: Number(row.dropped_count), first: decodeDropped(row.dropped) },
  }));
}

/** The column `dropped` as records. */
export function decodeDropped(text: string | null): readonly FeedProblem[] {
  return text === null ? [] : (JSON.parse(text) as readonly FeedProblem[]);
}

/** Records for the column `dropped`; null for none. */
export function encodeDropped(records: readonly FeedProblem[]): string | null {
  return records.length === 0 ? null : JSON.stringify(records);
}
