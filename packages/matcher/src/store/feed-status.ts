import { decodeAccount, type FeedAccount } from "./feed-account.ts";
import type { MatcherStore, UpdateKind, UpdateOperationTable, UpdaterTable } from "./tables.ts";

/** An unusable record of a feed. */
export interface FeedProblem {
  /** The document and the location in it. */
  readonly at: string;
  readonly message: string;
}

/** The unusable records of a feed's loaded state. */
export interface DroppedRecords {
  readonly count: number;
  /** The first of them, in the feed's order. */
  readonly first: readonly FeedProblem[];
}

/** One loaded feed. */
export interface FeedStatus {
  /** The updater's name. */
  readonly name: string;
  /** The kind of its records: advisories, or facts about vulnerabilities. */
  readonly kind: UpdateKind;
  /** The opaque identifier of the loaded state of the feed. */
  readonly fingerprint: string;
  /** When the loaded state last changed, in epoch milliseconds. */
  readonly changedAt: number;
  /** When the feed was last checked, in epoch milliseconds: its age counts from then. */
  readonly checkedAt: number;
  /** The number of its current advisories or facts. */
  readonly rows: number;
  readonly dropped: DroppedRecords;
  /** What became of its records in the last update; undefined if it is not known. */
  readonly account?: FeedAccount;
}

/**
 * The loaded feeds, sorted by name; of both kinds by default. Cheap, whatever the size of the feeds.
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
    .select(["name", "kind", "fingerprint", "date", "checked_at", "row_count", "dropped_count", "dropped", "account"])
    .execute();
  return rows.map((row) => ({ ...statusOf(row), account: decodeAccount(row.account) }));
}

type StatusRow = Pick<
  UpdateOperationTable,
  "kind" | "fingerprint" | "date" | "row_count" | "dropped_count" | "dropped"
> &
  Pick<UpdaterTable, "name" | "checked_at">;

function statusOf(row: StatusRow): FeedStatus {
  return {
    name: row.name,
    kind: row.kind,
    fingerprint: row.fingerprint,
    changedAt: Number(row.date),
    checkedAt: Number(row.checked_at),
    rows: Number(row.row_count),
    dropped: { count: Number(row.dropped_count), first: decodeDropped(row.dropped) },
  };
}

/** Decodes the column `dropped`. */
export function decodeDropped(text: string | null): readonly FeedProblem[] {
  return text === null ? [] : (JSON.parse(text) as readonly FeedProblem[]);
}

/** Encodes records for the column `dropped`; null for none. */
export function encodeDropped(records: readonly FeedProblem[]): string | null {
  return records.length === 0 ? null : JSON.stringify(records);
}

/**
 * A problem with its place, unless the message begins with its document.
 * @example
 * problemText({ at: "a.json", message: "expected an object" }); // "a.json: expected an object"
 */
export function problemText({ at, message }: FeedProblem): string {
  const [document = ""] = at.split(": ");
  return message.startsWith(document) ? message : `${at}: ${message}`;
}
