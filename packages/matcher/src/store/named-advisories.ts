import { findCve, lookupName, type MatchKey, vulnerabilityNames } from "@plimsoll/core/internal";
import { sql } from "kysely";
import { decodeRule, type RuleColumns } from "./advisory-row.ts";
import type { MatcherStore } from "./tables.ts";
import { holdsNow } from "./visible-at.ts";

/** The names and packages of a vulnerability in the feeds of a database. */
export interface NamedAdvisories {
  /** All names of the vulnerability, the given one first: `CVE-2021-44228`, `GHSA-jfh8-c2jp-5v3q`. */
  readonly names: readonly string[];
  /** The keys of the packages in its advisories. Empty if no feed has it. */
  readonly keys: readonly MatchKey[];
}

/**
 * Finds the current advisories of a vulnerability by any of its names, including names that other advisories give it. It reads all advisories
 * once for each step from name to name, in some tenths of a second for a million.
 * @param asked a CVE id or another name, in any case
 * @example
 * declare const store: MatcherStore;
 * const { names } = await findNamedAdvisories(store, "GHSA-jfh8-c2jp-5v3q"); // with "CVE-2021-44228"
 */
export async function findNamedAdvisories(store: MatcherStore, asked: string): Promise<NamedAdvisories> {
  const names = new FoundNames(findCve(asked) ?? asked.trim());
  const keys = new Map<string, MatchKey>();
  for (let open = names.takeAdded(); open.length > 0; open = names.takeAdded()) {
    for (const rule of await findRules(store, open)) {
      const ids = vulnerabilityNames(rule);
      const own = [rule.name, ...rule.aliases, ...ids];
      if (!own.some((name) => names.has(name))) continue;
      const key = { ecosystem: rule.ecosystem, name: lookupName(rule.ecosystem, rule.packageName) };
      keys.set(`${key.ecosystem}\n${key.name}`, key);
      if (!isAboutSeveral(rule)) for (const name of own) names.add(name);
    }
  }
  return { names: names.all(), keys: [...keys.values()] };
}

/** Whether a rule has several CVE ids, as errata do: its names are then not those of one vulnerability. */
export function isAboutSeveral(rule: { readonly name: string; readonly aliases: readonly string[] }): boolean {
  const cves = [rule.name, ...rule.aliases].flatMap((name) => findCve(name) ?? []);
  return new Set(cves).size > 1;
}

/** Shorter names would be found in too many texts. */
const minLengthInTexts = 8;

/** Finds the rules that contain a name anywhere; the caller checks them exactly. */
async function findRules(store: MatcherStore, names: readonly string[]) {
  const like = store.kind === "sqlite" ? sql`like` : sql`ilike`;
  const conditions = names.map((name) => {
    if (name.length < minLengthInTexts) return sql`upper(a.name) = ${keyOf(name)}`;
    const pattern = `%${name.replaceAll(/[\\%_]/g, "\\$&")}%`;
    return sql`(a.name ${like} ${pattern} escape '\\' or extra ${like} ${pattern} escape '\\')`;
  });
  const { rows } = await sql<RuleColumns>`
    select advisory_id, ecosystem, package_name, a.name, statement, fixed, extra
    from advisory a join updater u on u.name = a.updater and ${sql.raw(holdsNow("a"))}
    where (${sql.join(conditions, sql` or `)})`.execute(store.db);
  return rows.map(decodeRule);
}

/** The largest number of names of one vulnerability; a record with more is about several vulnerabilities. */
export const maxNames = 50;

/** The names of a vulnerability, found step by step: an advisory with a known name may add more names. Case is ignored. */
export class FoundNames {
  readonly #names = new Map<string, string>();
  #added: string[] = [];

  constructor(first: string) {
    this.add(first);
  }

  /** Adds a name, unless it is known or there are too many. */
  add(name: string): void {
    if (this.has(name) || this.#names.size >= maxNames) return;
    this.#names.set(keyOf(name), name);
    this.#added.push(name);
  }

  has(name: string): boolean {
    return this.#names.has(keyOf(name));
  }

  /** The names that were added since the last call, to look up next. */
  takeAdded(): readonly string[] {
    const added = this.#added;
    this.#added = [];
    return added;
  }

  /** All names, in the order in which they were found. */
  all(): readonly string[] {
    return [...this.#names.values()];
  }
}

/** A key that is the same for all spellings of a name. */
function keyOf(name: string): string {
  return name.toUpperCase();
}
