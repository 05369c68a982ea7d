import type { MatchKey } from "@plimsoll/core";
import type { StoreKind } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import type { OnStep } from "../abort.ts";
import type { MatcherTables } from "./tables.ts";

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

/** Whose rules are made anew. */
export interface ChangedRules {
  readonly updater: string;
  readonly keys: ChangedKeys;
}

/**
 * Makes `current_rules` of an updater what its advisories of some keys say now. Call it in every transaction that changes what
 * is valid now.
 */
export async function refreshRules(
  transaction: Transaction<MatcherTables>,
  kind: StoreKind,
  { updater, keys }: ChangedRules,
  onStep: OnStep = () => {},
): Promise<void> {
  for (const step of inSteps(keys.inOrder())) {
    onStep();
    await refreshStep(transaction, kind, updater, step);
  }
}

/** The same for the keys of one step. */
export async function refreshStep(
  transaction: Transaction<MatcherTables>,
  kind: StoreKind,
  updater: string,
  keys: readonly MatchKey[],
): Promise<void> {
  const rows = keys.map(({ ecosystem, name }) => sql`(${ecosystem}, ${name})`);
  const among = sql`(ecosystem, package_name) in (values ${sql.join(rows)}) and updater = ${updater}`;
  await sql`delete from current_rules where ${among}`.execute(transaction);
  await sql`insert into current_rules (ecosystem, package_name, updater, rules)
    select ecosystem, package_name, updater, ${sql.raw(packedRules(kind))} from advisory a
    where ${among} and valid_to is null group by ecosystem, package_name, updater`.execute(transaction);
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
