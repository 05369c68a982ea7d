import { firstOfKeys, type MatchKey } from "@plimsoll/core/internal";
import type { AdvisoryRule } from "@plimsoll/core/match";
import type { PreparedRead, SqlRow, SqlValue, StoreKind } from "@plimsoll/store";
import { decodeRule, type RuleColumns } from "./advisory-row.ts";
import { packedRules, valuesPerRule } from "./current-rules.ts";
import type { MatcherStore } from "./tables.ts";
import { holdsNow } from "./visible-at.ts";

/** Finds the rules of keys: in the order of the distinct keys, sorted by id for each key. */
export type FindRules = (keys: readonly MatchKey[]) => Promise<readonly AdvisoryRule[]>;

/**
 * The most frequent query: one statement for all packages of an image, without the query builder. A row has the position of a key and its
 * rules as JSON. The texts are parsed together, which is several times cheaper than one by one.
 * @param asOf epoch milliseconds; undefined: the rules of the latest operations
 */
export function ruleFinder(store: MatcherStore, asOf: number | undefined): FindRules {
  const { kind } = store;
  const read = store.prepareRead(asOf === undefined ? latestQuery(kind) : asOfQuery(kind));
  const bind = kind === "sqlite" ? readSqlite : readPostgres;
  return async (keys) => {
    const distinct = keys.filter(firstOfKeys());
    const rows = (await bind(read, distinct, asOf)) as readonly FoundKey[];
    const found = rows.toSorted(byPlace); // the database may join in any order, and sorting there costs more
    const packed = JSON.parse(`[${found.map(([, rules]) => rules).join()}]`) as readonly (readonly SqlValue[])[];
    const rules: AdvisoryRule[] = [];
    for (const [index, [place]] of found.entries()) unpackKey(distinct[Number(place)], packed[index] ?? [], rules);
    return rules;
  };
}

function latestQuery(kind: StoreKind): string {
  return kind === "sqlite"
    ? `select k.key as place, c.rules from json_each(?) k
       cross join current_rules c on c.ecosystem = k.value ->> 0 and c.package_name = k.value ->> 1
       cross join updater u on u.name = c.updater and ${holdsNow("c")}`
    : `select k.place - 1 as place, c.rules from ${postgresKeys}
       join current_rules c on c.ecosystem = k.ecosystem and c.package_name = k.package_name
       join updater u on u.name = c.updater and ${holdsNow("c")}`;
}

/** The query for an earlier time: it uses the last operation of each updater until then. An updater whose older operations are deleted has none. */
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

/** The position of a key, which PostgreSQL returns as text, and its rules in the form of {@link packedRules}. */
type FoundKey = readonly [place: number | string, rules: string];

function byPlace(a: FoundKey, b: FoundKey): number {
  return Number(a[0]) - Number(b[0]);
}

function unpackKey(key: MatchKey | undefined, values: readonly SqlValue[], rules: AdvisoryRule[]): void {
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
