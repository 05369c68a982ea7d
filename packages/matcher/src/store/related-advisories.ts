import type { Advisory } from "@plimsoll/core";
import { type MatchKey, sharingNames } from "@plimsoll/core/internal";
import type { AdvisoryRule } from "@plimsoll/core/match";
import { type RawBuilder, sql } from "kysely";
import { detailQuery } from "./advisories.ts";
import { decodeAdvisory, decodeRule, type RuleColumns } from "./advisory-row.ts";
import { visibleAt } from "./exported-rows.ts";
import type { MatcherStore } from "./tables.ts";
import type { UpdateDiff } from "./update-diff.ts";
import { findOperation } from "./update-operations.ts";

/** Advisories that affect the same verdicts as some changed ones, before or after the change. */
export interface RelatedGroup {
  /** Unique among the groups of a difference. */
  readonly name: string;
  readonly advisories: readonly Advisory[];
}

/** Options of {@link relatedGroups}. */
export interface RelatedOptions {
  readonly diff: UpdateDiff;
  /** The state of the groups: that of the earlier operation or of the later one. */
  readonly side: "before" | "after";
  /** The transitive closure of keys, see `IndexReports.relatedKeys`. */
  readonly relatedKeys: (keys: readonly MatchKey[]) => Promise<readonly MatchKey[]>;
}

/** The number of changed advisories of one group. */
const changedPerGroup = 200;

/**
 * The changed advisories for packages of images, with all advisories of every updater that may overrule or repeat them. Other updaters have
 * their state at the later operation, so that comparing successive operations reports every change once. That state is available as long
 * as their operations are kept.
 */
export async function* relatedGroups(store: MatcherStore, options: RelatedOptions): AsyncGenerator<RelatedGroup> {
  const { diff, side, relatedKeys } = options;
  const states = await statesOf(store, diff);
  const ids = [...new Set([...diff.added.ids, ...diff.removed.ids])].sort();
  for (let at = 0; at < ids.length; at += changedPerGroup) {
    const changed = await findRules(
      store,
      states,
      sql`advisory_id in (${sql.join(ids.slice(at, at + changedPerGroup))})`,
    );
    const keys = await relatedKeys(changed.map(({ ecosystem, packageName: name }) => ({ ecosystem, name })));
    if (keys.length === 0) continue;
    const related = sharingNames(await findRulesOf(store, states, keys), changed);
    const advisories = await findDetails(store, states[side], related);
    if (advisories.length > 0) yield { name: `${at}`, advisories };
  }
}

type Condition = RawBuilder<boolean>;

/** The states before and after, as conditions on rows of `advisory`. */
interface States {
  readonly before: Condition;
  readonly after: Condition;
}

async function statesOf({ db }: MatcherStore, { previous, current }: UpdateDiff): Promise<States> {
  const [from, to] = await Promise.all([previous && findOperation(db, previous.ref), findOperation(db, current.ref)]);
  const latest = await db
    .selectFrom("update_operation")
    .select(({ fn }) => ["updater", fn.max("seq").as("seq")])
    .where("place", "<=", to?.place ?? 0)
    .groupBy("updater")
    .execute();
  const others = latest.filter(({ updater }) => updater !== current.updater);
  const at = (seq: number) => anyOf([...others, { updater: current.updater, seq }].map(visibleAt));
  return { before: at(from?.seq ?? 0), after: at(to?.seq ?? 0) };
}

function anyOf(conditions: readonly Condition[]): Condition {
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

const keysPerQuery = 5_000;

async function findRulesOf(store: MatcherStore, states: States, keys: readonly MatchKey[]): Promise<AdvisoryRule[]> {
  const rules: AdvisoryRule[] = [];
  for (let at = 0; at < keys.length; at += keysPerQuery) {
    for (const rule of await findRules(store, states, amongKeys(keys.slice(at, at + keysPerQuery)))) rules.push(rule);
  }
  return rules;
}

function amongKeys(keys: readonly MatchKey[]): Condition {
  const rows = keys.map(({ ecosystem, name }) => sql`(${ecosystem}, ${name})`);
  return sql<boolean>`(ecosystem, package_name) in (values ${sql.join(rows)})`;
}

/** Finds the rules that are valid before or after; a changed advisory occurs twice. */
async function findRules(store: MatcherStore, { before, after }: States, which: Condition): Promise<AdvisoryRule[]> {
  const { rows } = await sql<RuleColumns>`
    select advisory_id, ecosystem, package_name, name, statement, fixed, extra
    from advisory where ${which} and (${before} or ${after})`.execute(store.db);
  return rows.map(decodeRule);
}

const idsPerQuery = 1_000;

async function findDetails(store: MatcherStore, state: Condition, rules: readonly AdvisoryRule[]): Promise<Advisory[]> {
  const ids = [...new Set(rules.map(({ id }) => id))].sort();
  const found: Advisory[] = [];
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const query = detailQuery(store).where("advisory_id", "in", ids.slice(at, at + idsPerQuery));
    const rows = await query.where(state).orderBy("advisory_id").orderBy("updater").execute();
    for (const row of rows) found.push(decodeAdvisory(row, row.updater, row.text));
  }
  return found;
}
