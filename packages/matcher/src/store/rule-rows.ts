import type { AdvisoryRule, MatchKey } from "@plimsoll/core";
import type { PreparedRead, SqlRow, StoreKind } from "@plimsoll/store";
import { decodeRule } from "./advisory-row.ts";
import { packedRules } from "./current-rules.ts";
import type { MatcherStore } from "./tables.ts";

/** Finds the rules of keys: distinct keys in their order, rules by id. */
export type FindRules = (keys: readonly MatchKey[]) => Promise<readonly AdvisoryRule[]>;

/**
 * The hot query: one statement for all packages of an image, below the query builder, one row a package.
 * @param asOf epoch milliseconds; absent, the rules of the latest operations
 */
export function ruleFinder(store: MatcherStore, asOf: number | undefined): FindRules {
  const { kind } = store;
  const read = store.prepareRead(asOf === undefined ? latestQuery(kind) : asOfQuery(kind));
  const bind = kind === "sqlite" ? readSqlite : readPostgres;
  return async (keys) => {
    const distinct = distinctKeys(keys);
    const rows = await bind(read, distinct, asOf);
    return rows.flatMap((row) => decodeRow(row, distinct));
  };
}

/** The nested loop gives the order of the keys, without a sort. */
function latestQuery(kind: StoreKind): string {
  return kind === "sqlite"
    ? `select k.key, c.rules from json_each(?) k
       cross join current_rules c on c.ecosystem = k.value ->> 0 and c.package_name = k.value ->> 1`
    : `select k.place - 1, c.rules from ${postgresKeys}
       join current_rules c on c.ecosystem = k.ecosystem and c.package_name = k.package_name order by k.place`;
}

/** Of each updater, the last operation until then; one whose older operations are forgotten is not there. */
function asOfQuery(kind: StoreKind): string {
  const [place, date] = kind === "sqlite" ? ["k.key", "?"] : ["k.place", "$3::bigint"];
  const advisories =
    kind === "sqlite"
      ? `json_each(?) k cross join advisory a indexed by advisory_package
         on a.ecosystem = k.value ->> 0 and a.package_name = k.value ->> 1`
      : `${postgresKeys} join advisory a on a.ecosystem = k.ecosystem and a.package_name = k.package_name`;
  return `select ${kind === "sqlite" ? place : `${place} - 1`}, ${packedRules(kind)} from ${advisories}
    join (select updater, max(seq) as seq from update_operation where date <= ${date} group by updater) o
      on o.updater = a.updater
    where a.valid_from <= o.seq and (a.valid_to is null or a.valid_to > o.seq)
    group by ${place} order by ${place}`;
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

function decodeRow(row: SqlRow, keys: readonly MatchKey[]): readonly AdvisoryRule[] {
  const key = keys[Number(row[0])];
  if (key === undefined) return [];
  const packed = JSON.parse(String(row[1])) as readonly PackedRule[];
  return packed.map((rule) => unpackRule(rule, key));
}

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
