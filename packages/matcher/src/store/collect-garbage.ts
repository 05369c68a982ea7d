import { oneAtATime } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { throwIfAborted } from "../values/abort.ts";
import type { KeyedRow } from "./current-rules.ts";
import { deleteUnusedTexts } from "./shared-texts.ts";
import { rowsPerStep } from "./steps.ts";
import { intervalTables, type MatcherStore, type MatcherTables, type UpdateKind } from "./tables.ts";
import { advisoryWrites, operationsOf } from "./update-operations.ts";

/** Options of {@link collectGarbage}. */
export interface GarbageOptions {
  /** The number of newest operations of each updater to keep, at least 1. Default: all. */
  readonly keep?: number;
  /** The number for updaters of facts, if it is smaller. */
  readonly keepFacts?: number;
  /** The largest number of operations that one run deletes. */
  readonly maxOperations?: number;
  readonly signal?: AbortSignal;
}

/** The result of garbage collection. */
export interface GarbageResult {
  /** The number of deleted operations. */
  readonly operations: number;
  /** The number of advisories, enrichments and ecosystems that were deleted with them. */
  readonly rows: number;
  /** The number of operations that are still to be deleted. */
  readonly remaining: number;
}

const defaultMaxOperations = 50;

/**
 * Deletes all but the newest operations of each updater, and the rows that are only valid at them. The transactions are small, so
 * that other writers do not wait long. It ends, because only rows that ended before the oldest kept operation are deleted, and no such row
 * is ever added.
 * @example
 * declare const store: MatcherStore;
 * const { operations, rows } = await collectGarbage(store, { keep: 10 });
 */
export async function collectGarbage(store: MatcherStore, options: GarbageOptions): Promise<GarbageResult> {
  const { maxOperations = defaultMaxOperations, signal } = options;
  const keep = keptOf(options);
  const result = { operations: 0, rows: 0, remaining: 0 };
  const updaters = await store.db.selectFrom("updater").select("name").orderBy("name").execute();
  for (const { name } of updaters) {
    const { deleted, remaining, oldest } = await deleteOldest(store, name, {
      keep,
      most: maxOperations - result.operations,
    });
    result.operations += deleted;
    result.remaining += remaining;
    result.rows += await deleteEnded(store, name, { oldest, signal });
  }
  return result;
}

/** The number of operations to keep, by the kind of updater. @throws RangeError */
function keptOf({ keep = Number.MAX_SAFE_INTEGER, keepFacts = keep }: GarbageOptions): Record<UpdateKind, number> {
  for (const [name, count] of Object.entries({ keep, keepFacts })) {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`${name}: expected a whole number from 1 on, found ${count}`);
  }
  return { vulnerability: keep, enrichment: Math.min(keep, keepFacts) };
}

async function deleteOldest(
  store: MatcherStore,
  updater: string,
  { keep, most }: { readonly keep: Record<UpdateKind, number>; readonly most: number },
) {
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
    const operations = await operationsOf(transaction, updater);
    const over = Math.max(0, operations.length - keep[operations[0]?.kind ?? "vulnerability"]);
    const deleted = operations.slice(0, Math.min(over, most)).map(({ seq }) => seq);
    if (deleted.length > 0) await transaction.deleteFrom("update_operation").where("seq", "in", deleted).execute();
    return {
      deleted: deleted.length,
      remaining: over - deleted.length,
      oldest: operations[deleted.length]?.seq ?? 0,
    };
  });
}

/** Deletes the updater's rows that ended with the operation `oldest` or before. */
async function deleteEnded(
  store: MatcherStore,
  updater: string,
  { oldest, signal }: { readonly oldest: number; readonly signal: AbortSignal | undefined },
): Promise<number> {
  let deleted = 0;
  for (const table of intervalTables) {
    const ended = sql`updater = ${updater} and valid_to <= ${oldest}`;
    for (let batch = -1; batch !== 0; deleted += batch) {
      throwIfAborted(signal, "garbage collection");
      batch = await store.transaction(async (transaction) => {
        await oneAtATime(store, transaction, { name: advisoryWrites, patient: true });
        return (await deleteRows(transaction, { table, condition: ended, limit: rowsPerStep })).length;
      });
    }
  }
  return deleted;
}

export type IntervalTable = (typeof intervalTables)[number];

const primaryKeys = {
  advisory: ["advisory_id", "updater", "valid_from"],
  enrichment: ["tag", "updater", "text_id", "valid_from"],
  updater_ecosystem: ["ecosystem", "updater", "valid_from"],
} as const satisfies Record<IntervalTable, readonly string[]>;

/** The columns of a changed row, as far as its table has them. */
export type ChangedRow = Partial<KeyedRow> & { readonly text_id?: string };

interface BoundedRows {
  readonly table: IntervalTable;
  readonly condition: RawBuilder<unknown>;
  readonly limit: number;
}

/** Deletes at most `limit` rows, and the texts that only they name. Returns the rows. */
export async function deleteRows(
  transaction: Transaction<MatcherTables>,
  { table, condition, limit }: BoundedRows,
): Promise<readonly ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    delete from ${sql.table(table)} where ${isAmong(table, condition, limit)} returning *`.execute(transaction);
  await deleteUnusedTexts(
    transaction,
    rows.flatMap(({ text_id }) => text_id ?? []),
  );
  return rows;
}

/** Makes at most `limit` ended rows valid again. Returns the rows. */
export async function reopenRows(
  transaction: Transaction<MatcherTables>,
  { table, condition, limit }: BoundedRows,
): Promise<readonly ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    update ${sql.table(table)} set valid_to = null where ${isAmong(table, condition, limit)} returning *`.execute(
    transaction,
  );
  return rows;
}

function isAmong(table: IntervalTable, condition: RawBuilder<unknown>, limit: number): RawBuilder<boolean> {
  const key = sql.join(primaryKeys[table].map((column) => sql.ref(column)));
  return sql`(${key}) in (select ${key} from ${sql.table(table)} where ${condition} limit ${limit})`;
}
