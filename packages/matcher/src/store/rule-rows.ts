import type { AdvisoryRule, MatchKey } from "@plimsoll/core";
import type { PreparedRead, SqlRow, StoreKind } from "@plimsoll/store";
import { decodeRule } from "./advisory-row.ts";
import { packedRules } from "./current-rules.ts";
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
    select '[' || string_agg('[' || place || ',' || rules || ']', ',' order by place) || ']' from (${found}) found`);
  const bind = kind === "sqlite" ? readSqlite : readPostgres;
  return async (keys) => {
    const distinct = distinctKeys(keys);
    const [row] = await bind(read, distinct, asOf);
    const packed = JSON.parse(String(row?.[0] ?? "[]")) as readonly PackedKey[];
    return packed.flatMap((of) => unpackKey(of, distinct));
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

function unpackKey(packed: PackedKey, keys: readonly MatchKey[]): readonly AdvisoryRule[] {
  const key = keys[packed[0]];
  return key === undefined ? [] : packed[1].map((rule) => unpackRule(rule, key));
}

type PackedKey = readonly [number, readonly PackedRule[]];

/** A rule as `packedRules` writes it. Read by index: taking a list apart costs more than all the rest of a first look-up. */
type PackedRule = readonly [string, string, number, string | null, string | null];

function unpackRule(packed: PackedRule, { ecosystem, name: package_name }: MatchKey): AdvisoryRule {
  return decodeRule({
    advisory_id: packed[0],
    ecosystem,
    package_name,
    name: packed[1],
    statement: packed[2],
    fixed: packed[3],
    extra: packed[4],
  });
}
