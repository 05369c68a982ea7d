import type { AdvisoryRule, MatchKey } from "@plimsoll/core";
import type { PreparedRead, SqlRow } from "@plimsoll/store";
import { decodeRule } from "./advisory-row.ts";
import type { MatcherStore } from "./tables.ts";

/** Finds the rules of keys; `key` of a row is the place of its key in `keys`. */
export type FindRules = (keys: readonly MatchKey[]) => Promise<readonly AdvisoryRule[]>;

/**
 * The hot query: one statement for all packages of an image, below the query builder and with rows as arrays. Distinct
 * keys in their order, rules by id.
 * @param asOf epoch milliseconds; absent, the rules of the latest operations
 */
export function ruleFinder(store: MatcherStore, asOf: number | undefined): FindRules {
  const read = store.prepareRead((store.kind === "sqlite" ? sqliteQuery : postgresQuery)(asOf !== undefined));
  const bind = store.kind === "sqlite" ? readSqlite : readPostgres;
  return async (keys) => {
    const distinct = distinctKeys(keys);
    const rows = await bind(read, distinct, asOf);
    return rows.map((row) => ruleOf(row, distinct));
  };
}

const columns = "a.advisory_id, a.name, a.statement, a.fixed, a.extra";
const latest = "where a.valid_to is null";

/** Of each updater, the last operation until then; one whose older operations are forgotten is not there. */
const asOfThen = (date: string) => `
  join (select updater, max(seq) as seq from update_operation where date <= ${date} group by updater) o
    on o.updater = a.updater
  where a.valid_from <= o.seq and (a.valid_to is null or a.valid_to > o.seq)`;

/** The nested loops and the index give the order, without a sort. */
const sqliteQuery = (asOf: boolean) => `
  select k.key, ${columns} from json_each(?) k
  cross join advisory a indexed by advisory_package
    on a.ecosystem = k.value ->> 0 and a.package_name = k.value ->> 1
  ${asOf ? `${asOfThen("?")} order by k.key, a.advisory_id` : latest}`;

const postgresQuery = (asOf: boolean) => `
  select k.place - 1, ${columns}
  from unnest($1::text[], $2::text[]) with ordinality as k (ecosystem, package_name, place)
  join advisory a on a.ecosystem = k.ecosystem and a.package_name = k.package_name
  ${asOf ? asOfThen("$3::bigint") : latest}
  order by k.place, a.advisory_id`;

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

function ruleOf(row: SqlRow, keys: readonly MatchKey[]): AdvisoryRule {
  const [place, advisory_id, name, statement, fixed, extra] = row as RuleRow;
  const { ecosystem, name: package_name } = keys[place] ?? noKey;
  return decodeRule({ advisory_id, ecosystem, package_name, name, statement, fixed, extra });
}

type RuleRow = readonly [number, string, string, number, string | null, string | null];

const noKey: MatchKey = { ecosystem: "", name: "" };
