import type { Advisory } from "../model/advisory.ts";
import { lookupName } from "../model/package-name.ts";
import type { MatchKey } from "../plugins/matcher.ts";
import type { AdvisorySource } from "../ports.ts";

/**
 * A source of advisories in memory. An ecosystem is covered when there is an advisory for it.
 * @example
 * declare const advisories: readonly Advisory[];
 * declare const indexReport: IndexReport;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const report = await matchReport(engine, indexReport, { advisories: advisorySourceOf(advisories) });
 */
export function advisorySourceOf(advisories: readonly Advisory[]): AdvisorySource {
  const byId = new Map(advisories.map((advisory) => [advisory.id, advisory]));
  const byKey = Map.groupBy(advisories, ({ ecosystem, packageName }) => keyText({ ecosystem, name: packageName }));
  const ecosystems = new Set(advisories.map(({ ecosystem }) => ecosystem));
  return {
    async lookup(keys) {
      return [...new Set(keys.map(keyText))].flatMap((key) => byKey.get(key) ?? []);
    },
    async details(ids) {
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    async names(ecosystem) {
      return [...new Set(advisories.flatMap((each) => (each.ecosystem === ecosystem ? each.packageName : [])))];
    },
    async coverage(requested) {
      return requested.map((ecosystem) => ({ ecosystem, covered: ecosystems.has(ecosystem) }));
    },
  };
}

function keyText({ ecosystem, name }: MatchKey): string {
  return `${ecosystem}\n${lookupName(ecosystem, name)}`;
}
