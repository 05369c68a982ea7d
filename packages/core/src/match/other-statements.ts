import type { AdvisoryRule } from "../model/advisory.ts";
import { addNames, isCovered, namesOf } from "./vulnerability-names.ts";

/** By ecosystem and package: the names of the shown vulnerabilities, and the ids of their advisories. */
type Stated = Map<string, Map<string, { readonly names: Set<string>; readonly ids: Set<string> }>>;

/**
 * The ids of other advisories that state the same vulnerabilities, and no others, for the same packages. The report does not show them,
 * but their severities are shown as ratings.
 */
export function otherStatements(shown: readonly AdvisoryRule[], rules: readonly AdvisoryRule[]): readonly string[] {
  const stated: Stated = new Map();
  for (const advisory of shown) {
    const { names, ids } = statedOf(stated, advisory);
    addNames(namesOf(advisory), names);
    ids.add(advisory.id);
  }
  const others = rules.filter((rule) => {
    const same = stated.get(rule.ecosystem)?.get(rule.packageName);
    if (same === undefined || rule.status !== "affected" || same.ids.has(rule.id)) return false;
    return isCovered(namesOf(rule), same.names);
  });
  return others.map(({ id }) => id);
}

function statedOf(stated: Stated, { ecosystem, packageName }: AdvisoryRule) {
  const byPackage = stated.get(ecosystem) ?? new Map<string, { names: Set<string>; ids: Set<string> }>();
  stated.set(ecosystem, byPackage);
  const known = byPackage.get(packageName) ?? { names: new Set(), ids: new Set() };
  byPackage.set(packageName, known);
  return known;
}
