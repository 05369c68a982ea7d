import type { AdvisoryRule, MatchKey } from "@plimsoll/core";
import type { PreparedRead, SqlRow, SqlValue, StoreKind } from "@plimsoll/store";
import { decodeRule, type RuleColumns } from "./advisory-row.ts";
import { packedRules, valuesPerRule } from "./current-rules.ts";
import type { MatcherStore } from "./tables.ts";

/** Finds the rules of keys: distinct keys in their order, rules by id. */
export type FindRules = (keys: readonly MatchKey[]) => Promise<readonly AdvisoryRule[]>;

/**
 * The hot query: one statement for all packages of an image, below the query builder. The answer is one JSON text: a list
 * of `[place of the key, rules]`, parsed at once, which is several times cheaper than rows are.
 * @param asOf epoch milliseconds; absent, the rules of the latest operations
 */
export function ruleFinder(store: MatcherStore, asOf: number | undefined): FindRules {
  const { kind } = store;
  const found = asOf === undefined ? latestQuery(kind) : asOfQuery(kind);
  const read = store.prepareRead(`
    select '[' || string_agg('[' || place || ',' || rules || ']', ',') || ']' from (${found}) found`);
  const bind = kind === "sqlite" ? readSqlite : readPostgres;
  return async (keys) => {
    const distinct = distinctKeys(keys);
    const [row] = await bind(read, distinct, asOf);
    const packed = JSON.parse(String(row?.[0] ?? "[]")) as PackedKey[];
    packed.sort(byPlace); // an engine may join in any order, and sorting there costs more
    const rules: AdvisoryRule[] = [];
    for (const entry of packed) unpackKey(entry, distinct, rules);
    return rules;
  };
}

function latestQuery(kind: StoreKind): string {
  return kind === "sqlite"
    ? `select k.key as place, c.rules from json_each(?) k
       cross join current_rules c on c.ecosystem = k.value ->> 0 and c.package_name = k.value ->> 1`
    : `select k.place - 1 as place, c.rules from ${postgresKeys}
       join current_rules c on c.ecosystem = k.ecosystem and c.package_name = k.package_name`;
}

/** Of each updater, the last operation until then; one whose older operations are forgotten is not there. */
function asOfQuery(kind: StoreKind): string {
  const [place, date] = kind === "sqlite" ? ["k.key", "?"] : ["k.place", "$3::bigint"];
  const advisories =
    kind === "sqlite"
      ? `json_each(?) k cross join advisory a indexed by advisory_package
         on a.ecosystem = k.value ->> 0 and a.package_name = k.value ->> 1`
      : `${postgresKeys} join advisory a on a.ecosystem = k.ecosystem and a.package_name = k.package_name`;
  return `select ${kind === "sqlite" ? place : `${place} - 1`} as place, ${packedRules(kind)} as rules from ${advisories}
    join (select updater, max(seq) as seq from update_operation where date <= ${date} group by updater) o
      on o.updater = a.updater
    where a.valid_from <= o.seq and (a.valid_to is null or a.valid_to > o.seq)
    group by ${place}`;
}

const postgresKeys = "unnest($1::text[], $2::text[]) with ordinality as k (ecosystem, package_name, place)";

type Bind = (read: PreparedRead, keys: readonly MatchKey[], asOf: number | undefined) => Promise<readonly SqlRow[]>;

const readSqlite: Bind = (read, keys, asOf) => {
  const json = JSON.stringify(keys.map(({ ecosystem, name }) => [ecosystem, name]));
  return asOf === undefined ? read(json) : read(json, asOf);
};

const readPostgres: Bind = (read, keys, asOf) => {
  const ecosystems = keys.map(({ ecosystem }) => ecosystem);
  const names = keys.map(({ name }) => name);
  return asOf === undefined ? read(ecosystems, names) : read(ecosystems, names, asOf);
};

function distinctKeys(keys: readonly MatchKey[]): readonly MatchKey[] {
  return [...new Map(keys.map((key) => [`${key.ecosystem}\0${key.name}`, key])).values()];
}

/** A key's place, and its rules as {@link packedRules} writes them. */
type PackedKey = readonly [number, readonly SqlValue[]];

function byPlace(a: PackedKey, b: PackedKey): number {
  return a[0] - b[0];
}

function unpackKey([place, values]: PackedKey, keys: readonly MatchKey[], rules: AdvisoryRule[]): void {
  const key = keys[place];
  if (key === undefined) return;
  for (let at = 0; at < values.length; at += valuesPerRule) rules.push(unpackRule(values, at, key));
}

function unpackRule(
  values: readonly SqlValue[],
  at: number,
  { ecosystem, name: package_name }: MatchKey,
): AdvisoryRule {
  const columns = {
    advisory_id: values[at],
    ecosystem,
    package_name,
    name: values[at + 1],
    fixed: values[at + 2],
    extra: values[at + 3],
    statement: values[at + 4],
  };
  return decodeRule(columns as RuleColumns);
}
