import type { MatchKey } from "@plimsoll/core/internal";
import type { StoreKind } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { rowsPerStep } from "./steps.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";

/** The columns of a row of `advisory` that are its key. */
export interface KeyedRow {
  readonly ecosystem: string;
  readonly package_name: string;
}

/** A set of the keys whose advisories have changed. A feed may have hundreds of thousands of keys, so that no object is kept for each. */
export class ChangedKeys {
  readonly #names = new Map<string, Set<string>>();

  add(rows: readonly KeyedRow[]): void {
    for (const { ecosystem, package_name: name } of rows) {
      const names = this.#names.get(ecosystem) ?? new Set();
      if (names.size === 0) this.#names.set(ecosystem, names);
      names.add(name);
    }
  }

  /** The keys in the order of the table, so that its rows are adjacent in the file. */
  *inOrder(): Generator<MatchKey> {
    for (const ecosystem of [...this.#names.keys()].sort()) {
      for (const name of [...(this.#names.get(ecosystem) ?? [])].sort()) yield { ecosystem, name };
    }
  }
}

/** The number of keys of one statement, few enough that none takes long. */
const keysPerStep = 200;

/** The operation of an updater from which on rules are valid. */
export interface RulesOwner {
  readonly updater: string;
  readonly seq: number;
}

/** Writes the rules of keys from the rows that have not ended, valid from an operation on. Earlier rules end at it. */
export async function beginRules(
  transaction: Transaction<MatcherTables>,
  kind: StoreKind,
  { updater, seq, keys }: RulesOwner & { readonly keys: readonly MatchKey[] },
): Promise<void> {
  const among = amongKeys(updater, keys);
  await sql`update current_rules set valid_to = ${seq} where ${among} and valid_to is null`.execute(transaction);
  await insertRules(transaction, kind, { among: sql`${among} and valid_to is null`, from: seq, to: null });
}

/**
 * Prepares the rules of keys for reverting the visible operation: its rules begin with it, and the rules of the operation before, which end
 * with it, are written again. The visible rules stay the same. Repeating it changes nothing.
 */
export async function prepareRevert(
  transaction: Transaction<MatcherTables>,
  kind: StoreKind,
  { updater, seq, previous, keys }: RulesOwner & { readonly previous: number } & { readonly keys: readonly MatchKey[] },
): Promise<void> {
  const among = amongKeys(updater, keys);
  await sql`delete from current_rules where ${among} and valid_to is not null`.execute(transaction);
  await sql`update current_rules set valid_from = ${seq} where ${among}`.execute(transaction);
  const heldBefore = sql`valid_from <= ${previous} and (valid_to is null or valid_to > ${previous})`;
  await insertRules(transaction, kind, { among: sql`${among} and ${heldBefore}`, from: previous, to: seq });
}

interface LaterRules {
  readonly updater: string;
  readonly ecosystem: string;
  readonly shown: number;
}

/** The keys of an ecosystem whose rules change after the visible operation, in an update that is being written. */
export async function findLaterRules(
  { db }: MatcherStore,
  { updater, ecosystem, shown }: LaterRules,
): Promise<readonly KeyedRow[]> {
  return db
    .selectFrom("current_rules")
    .select(["ecosystem", "package_name"])
    .where("ecosystem", "=", ecosystem)
    .where("updater", "=", updater)
    .where(({ or, eb }) => or([eb("valid_from", ">", shown), eb("valid_to", ">", shown)]))
    .execute();
}

/** Reverts {@link beginRules} for operations later than the visible one. */
export async function revertRules(
  transaction: Transaction<MatcherTables>,
  { updater, shown }: { readonly updater: string; readonly shown: number },
  keys: readonly MatchKey[],
): Promise<void> {
  const among = amongKeys(updater, keys);
  await sql`delete from current_rules where ${among} and valid_from > ${shown}`.execute(transaction);
  await sql`update current_rules set valid_to = null where ${among} and valid_to > ${shown}`.execute(transaction);
}

/** Deletes rules that ended with the visible operation or before, unless an update is being written. */
export async function deleteEndedRules(store: MatcherStore, updater: string): Promise<void> {
  const ended = sql`delete from current_rules where (ecosystem, package_name, updater, valid_from) in (
    select c.ecosystem, c.package_name, c.updater, c.valid_from from current_rules c join updater u on u.name = c.updater
    where c.updater = ${updater} and c.valid_to is not null and c.valid_to <= u.seq
    and not exists (select 1 from running_update r where r.updater = u.name) limit ${rowsPerStep})`;
  for (let deleted = -1; deleted !== 0; )
    deleted = await store.transaction(async (transaction) =>
      Number((await ended.execute(transaction)).numAffectedRows),
    );
}

function amongKeys(updater: string, keys: readonly MatchKey[]): RawBuilder<boolean> {
  const rows = keys.map(({ ecosystem, name }) => sql`(${ecosystem}, ${name})`);
  return sql<boolean>`(ecosystem, package_name) in (values ${sql.join(rows)}) and updater = ${updater}`;
}

interface InsertedRules {
  /** The condition for their advisories. */
  readonly among: RawBuilder<unknown>;
  readonly from: number;
  readonly to: number | null;
}

async function insertRules(
  transaction: Transaction<MatcherTables>,
  kind: StoreKind,
  { among, from, to }: InsertedRules,
): Promise<void> {
  const seq = (value: number | null) => sql`cast(${value} as bigint)`;
  await sql`insert into current_rules (ecosystem, package_name, updater, valid_from, valid_to, rules)
    select ecosystem, package_name, updater, ${seq(from)}, ${seq(to)}, ${sql.raw(packedRules(kind))} from advisory a
    where ${among} group by ecosystem, package_name, updater`.execute(transaction);
}

/** Splits keys into steps, none of which takes long. */
export function* inSteps(keys: Iterable<MatchKey>): Generator<readonly MatchKey[]> {
  let step: MatchKey[] = [];
  for (const key of keys) {
    if (step.push(key) < keysPerStep) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

/**
 * The SQL for the rules of a key as one JSON text, sorted by id: a flat list with {@link valuesPerRule} values for each rule. A look-up
 * then reads one row for each package instead of one for each advisory, and creates no list for each rule.
 */
export function packedRules(kind: StoreKind): string {
  const json = (column: string) => (kind === "sqlite" ? `json_quote(a.${column})` : `to_json(a.${column})::text`);
  const texts = ["advisory_id", "name", "fixed", "extra"].map((column) => `coalesce(${json(column)}, 'null')`);
  const values = [...texts, "a.statement"].join(" || ',' || ");
  return `'[' || string_agg(${values}, ',' order by a.advisory_id) || ']'`;
}

/** The number of values of a rule: `advisory_id`, `name`, `fixed`, `extra`, `statement`. */
export const valuesPerRule = 5;
