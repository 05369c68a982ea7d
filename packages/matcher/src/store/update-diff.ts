import { type Advisory, ScanError } from "@plimsoll/core";
import { type RawBuilder, sql } from "kysely";
import { detailQuery } from "./advisories.ts";
import { decodeAdvisory } from "./advisory-row.ts";
import { advisoryContent, sameColumns } from "./same-columns.ts";
import type { MatcherStore } from "./tables.ts";
import { findOperation, type OrderedOperation, type UpdateOperation } from "./update-operations.ts";

/** Advisories sorted by id, read in pages. */
export interface AdvisorySet extends AsyncIterable<Advisory> {
  readonly size: number;
  /** The sorted ids. */
  readonly ids: readonly string[];
}

/** The changes between two operations. A changed advisory is in both sets, in its old and its new form. */
export interface UpdateDiff {
  readonly previous?: UpdateOperation;
  readonly current: UpdateOperation;
  readonly added: AdvisorySet;
  readonly removed: AdvisorySet;
}

/**
 * Compares two operations. Without a previous one, all advisories are added.
 * @throws ScanError `not_found` for an unknown or deleted operation
 * @example
 * declare const store: MatcherStore;
 * const [current, previous] = await listOperations(store);
 * if (current && previous) await diffOperations(store, { current: current.ref, previous: previous.ref });
 */
export async function diffOperations(
  store: MatcherStore,
  refs: { readonly previous?: string; readonly current: string },
): Promise<UpdateDiff> {
  const current = await getOperation(store, refs.current);
  const previous = refs.previous === undefined ? undefined : await getOperation(store, refs.previous);
  return {
    previous: previous && withoutSeq(previous),
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

/** The advisories of `at` that `other` does not have in the same form. */
async function difference(
  store: MatcherStore,
  at: OrderedOperation | undefined,
  other: OrderedOperation | undefined,
): Promise<AdvisorySet> {
  if (at === undefined) return setOf(store, [], { updater: "", seq: 0 });
  const visible = store.db.selectFrom("advisory").select("advisory_id").where(visibleAt("advisory", at));
  const only =
    other?.updater === at.updater ? visible.where(not(sameAt(other))).where(changedAfter(other, at)) : visible;
  const rows = await only.orderBy("advisory_id").execute();
  const ids = rows.map(({ advisory_id }) => advisory_id);
  return setOf(store, ids, at);
}

type At = Pick<OrderedOperation, "updater" | "seq">;
type Condition = RawBuilder<boolean>;

function visibleAt(row: string, { updater, seq }: At): Condition {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  return sql`(${column("updater")} = ${updater} and ${column("valid_from")} <= ${seq}
    and (${column("valid_to")} is null or ${column("valid_to")} > ${seq}))`;
}

/** A condition on one range of an index: rows that begin after an earlier operation, or end at or before a later one. */
function changedAfter({ seq: other }: At, { seq: at }: At): Condition {
  return other < at ? sql`advisory.valid_from > ${other}` : sql`advisory.valid_to <= ${other}`;
}

/** Whether an advisory that has changed and changed back is the same in another operation. */
function sameAt(other: At): Condition {
  return sql`exists (select 1 from advisory as o
    where ${visibleAt("o", other)} and ${sameColumns(advisoryContent, "o", "advisory")})`;
}

function not(condition: Condition): Condition {
  return sql`not ${condition}`;
}

const pageSize = 500;

function setOf(store: MatcherStore, ids: readonly string[], at: At): AdvisorySet {
  return {
    size: ids.length,
    ids,
    async *[Symbol.asyncIterator]() {
      for (let start = 0; start < ids.length; start += pageSize) {
        const page = ids.slice(start, start + pageSize);
        const rows = await detailQuery(store)
          .where("advisory_id", "in", page)
          .where(visibleAt("advisory", at))
          .orderBy("advisory_id")
          .execute();
        for (const row of rows) yield decodeAdvisory(row, row.updater, row.text);
      }
    },
  };
}
