import { findCve } from "@plimsoll/core/internal";
import { sql } from "kysely";
import { decodeRule, type RuleColumns } from "./advisory-row.ts";
import { FoundNames, isAboutSeveral, maxNames } from "./named-advisories.ts";
import { textIdsOf } from "./shared-texts.ts";
import type { MatcherStore } from "./tables.ts";
import { holdsNow } from "./visible-at.ts";

/**
 * Finds the names of a vulnerability in the current advisories: those of advisories with the given name, then those of advisories
 * with these names, and so on. Each name is one look-up in an index. Advisories that have a name only among their aliases are not found;
 * {@link import("./named-advisories.ts").findNamedAdvisories} finds them too, but reads all advisories.
 * @param vulnerability a CVE id or another name, in any case
 * @returns all names, the given one first
 * @example
 * declare const store: MatcherStore;
 * const names = await findAliases(store, "GHSA-jfh8-c2jp-5v3q"); // with "CVE-2021-44228"
 */
export async function findAliases(store: MatcherStore, vulnerability: string): Promise<readonly string[]> {
  const names = new FoundNames(vulnerability.trim());
  for (let open = names.takeAdded(); open.length > 0; open = names.takeAdded()) {
    const found = (await Promise.all(open.map((name) => findRulesNamed(store, name)))).flat();
    for (const { name, aliases } of found.filter((rule) => !isAboutSeveral(rule))) {
      for (const each of [...aliases, ...[name, ...aliases].flatMap((text) => findCve(text) ?? [])]) names.add(each);
    }
  }
  return names.all();
}

/** Finds the rules of a name, one for each different list of aliases: a vulnerability of many packages has the same aliases in each. */
async function findRulesNamed(store: MatcherStore, vulnerability: string) {
  const ids = spellings(vulnerability).map((name) => {
    const { from, before } = textIdsOf(name);
    return sql`(text_id >= ${from} and text_id < ${before} and a.name = ${name})`;
  });
  const { rows } = await sql<RuleColumns>`
    select min(advisory_id) as advisory_id, min(ecosystem) as ecosystem, min(package_name) as package_name, a.name,
      min(statement) as statement, min(fixed) as fixed, extra
    from advisory a join updater u on u.name = a.updater and ${sql.raw(holdsNow("a"))}
    where extra is not null and (${sql.join(ids, sql` or `)})
    group by a.name, extra limit ${maxNames}`.execute(store.db);
  return rows.map(decodeRule);
}

/** The given spelling of a name and that of feeds: upper case, except for the three groups of a GitHub id. */
function spellings(name: string): readonly string[] {
  const upper = name.toUpperCase();
  const usual = upper.startsWith("GHSA-") ? `GHSA-${name.slice("GHSA-".length).toLowerCase()}` : upper;
  return [...new Set([name, usual])];
}
