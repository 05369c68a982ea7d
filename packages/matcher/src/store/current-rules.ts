import type { MatchKey } from "@plimsoll/core";
import type { StoreKind } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { rowsPerStep } from "./steps.ts";
import type { MatcherStore, MatcherTables } from "./tables.ts";

/** A row of `advisory`, as far as it says whose rule it is. */
export interface KeyedRow {
  readonly ecosystem: string;
  readonly package_name: string;
}

/** The keys whose advisories a transaction changed, each once. A feed may have hundreds of thousands: no object is kept of one. */
export class ChangedKeys {
  readonly #names = new Map<string, Set<string>>();

  add(rows: readonly KeyedRow[]): void {
    for (const { ecosystem, package_name: name } of rows) {
      const names = this.#names.get(ecosystem) ?? new Set();
      if (names.size === 0) this.#names.set(ecosystem, names);
      names.add(name);
    }
  }

  /** In the order of the table, so that its rows lie side by side in the file. */
  *inOrder(): Generator<MatchKey> {
    for (const ecosystem of [...this.#names.keys()].sort()) {
      for (const name of [...(this.#names.get(ecosystem) ?? [])].sort()) yield { ecosystem, name };
    }
  }
}

/** Keys of one statement: few enough that none takes long. */
const keysPerStep = 200;

/** The operation of an updater as of which rules are made. */
export interface RulesOwner {
  readonly updater: string;
  readonly seq: number;
}

/** Makes the rules of some keys what the rows that have not ended say, from an operation on. Those of before end there. */
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
 * Makes the rules of some keys ready for the operation that is shown to be taken back: what its rows say is as of it alone, and what the rows of
 * the one before say ends with it. What is shown stays the same. Doing it again changes nothing.
 */
export async function readyRules(
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

/** The keys of an ecosystem whose rules are not what they are as of the operation that is shown, where later ones are on their way. */
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

/** Takes back what {@link beginRules} did as of operations later than the one that is shown. */
export async function takeBackRules(
  transaction: Transaction<MatcherTables>,
  { updater, shown }: { readonly updater: string; readonly shown: number },
  keys: readonly MatchKey[],
): Promise<void> {
  const among = amongKeys(updater, keys);
  await sql`delete from current_rules where ${among} and valid_from > ${shown}`.execute(transaction);
  await sql`update current_rules set valid_to = null where ${among} and valid_to > ${shown}`.execute(transaction);
}

/** Deletes rules that ended with the operation that is shown, or before, while no other is on its way. */
export async function forgetEndedRules(store: MatcherStore, updater: string): Promise<void> {
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
  /** The advisories that they are made of. */
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

/** Divides keys into steps, of which none takes long. */
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
 * The rules of a key as one JSON text, by id: {@link valuesPerRule} values a rule in one flat list. A look-up then reads one
 * row a package instead of one an advisory, and makes no list a rule.
 */
export function packedRules(kind: StoreKind): string {
  const json = (column: string) => (kind === "sqlite" ? `json_quote(a.${column})` : `to_json(a.${column})::text`);
  const texts = ["advisory_id", "name", "fixed", "extra"].map((column) => `coalesce(${json(column)}, 'null')`);
  const values = [...texts, "a.statement"].join(" || ',' || ");
  return `'[' || string_agg(${values}, ',' order by a.advisory_id) || ']'`;
}

/** `advisory_id`, `name`, `fixed`, `extra`, `statement`. */
export const valuesPerRule = 5;
