import type { Advisory } from "@plimsoll/core";
import { ScanError } from "@plimsoll/core";
import type { SelectQueryBuilder } from "kysely";
import { detailQuery } from "./advisories.ts";
import { decodeAdvisory } from "./advisory-row.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";
import { findOperation, type OrderedOperation, type UpdateOperation } from "./update-operations.ts";

/** Advisories by id, read page by page. */
export interface AdvisorySet extends AsyncIterable<Advisory> {
  readonly size: number;
}

/** What changed between two operations. A changed advisory is in both sets, as it was and as it is. */
export interface UpdateDiff {
  readonly previous?: UpdateOperation;
  readonly current: UpdateOperation;
  readonly added: AdvisorySet;
  readonly removed: AdvisorySet;
}

/**
 * Compares two operations by their refs; without a previous one everything is added.
 * @throws ScanError `not_found` for an operation that is unknown or forgotten
 */
export async function diffOperations(
  store: MatcherStore,
  refs: { readonly previous?: string; readonly current: string },
): Promise<UpdateDiff> {
  const current = await getOperation(store, refs.current);
  const previous = refs.previous === undefined ? undefined : await getOperation(store, refs.previous);
  return {
    ...(previous !== undefined && { previous: withoutSeq(previous) }),
    current: withoutSeq(current),
    added: await difference(store, current, previous),
    removed: await difference(store, previous, current),
  };
}

async function getOperation({ db }: MatcherStore, ref: string): Promise<OrderedOperation> {
  const operation = await findOperation(db, ref);
  if (operation === undefined) throw new ScanError("not_found", `there is no update operation ${ref}`);
  return operation;
}

function withoutSeq({ seq: _, ...operation }: OrderedOperation): UpdateOperation {
  return operation;
}

/** The advisories of `at` that are not, as they are there, in `other`. */
async function difference(
  store: MatcherStore,
  at: OrderedOperation | undefined,
  other: OrderedOperation | undefined,
): Promise<AdvisorySet> {
  if (at === undefined) return setOf(store, [], { updater: "", seq: 0 });
  const visible = store.db.selectFrom("advisory").select("advisory_id").$call(visibleAt(at));
  const only = other?.updater === at.updater ? visible.$call(notVisibleAt(other, at)) : visible;
  const rows = await only.orderBy("advisory_id").execute();
  return setOf(
    store,
    rows.map(({ advisory_id }) => advisory_id),
    at,
  );
}

type At = Pick<OrderedOperation, "updater" | "seq">;
type AdvisoryQuery<Row> = SelectQueryBuilder<MatcherTables, "advisory", Row>;

function visibleAt<Row>({ updater, seq }: At): (query: AdvisoryQuery<Row>) => AdvisoryQuery<Row> {
  return (query) =>
    query
      .where("advisory.updater", "=", updater)
      .where("advisory.valid_from", "<=", seq)
      .where(({ or, eb }) => or([eb("advisory.valid_to", "is", null), eb("advisory.valid_to", ">", seq)]));
}

/** One range of an index: rows that begin after an earlier operation, or end at or before a later one. */
function notVisibleAt<Row>({ seq: other }: At, { seq: at }: At): (query: AdvisoryQuery<Row>) => AdvisoryQuery<Row> {
  return (query) => (other < at ? query.where("valid_from", ">", other) : query.where("valid_to", "<=", other));
}

const pageSize = 500;

function setOf(store: MatcherStore, ids: readonly string[], at: At): AdvisorySet {
  return {
    size: ids.length,
    async *[Symbol.asyncIterator]() {
      for (let start = 0; start < ids.length; start += pageSize) {
        const page = ids.slice(start, start + pageSize);
        const rows = await detailQuery(store)
          .where("advisory_id", "in", page)
          .where("advisory.updater", "=", at.updater)
          .where("advisory.valid_from", "<=", at.seq)
          .where(({ or, eb }) => or([eb("advisory.valid_to", "is", null), eb("advisory.valid_to", ">", at.seq)]))
          .orderBy("advisory_id")
          .execute();
        for (const row of rows) yield decodeAdvisory(row, row.updater, row.text);
      }
    },
  };
}
