import { type NamedAdvisory, namesOf } from "./vulnerability-names.ts";

/**
 * Those of some advisories that are about what a seed is about, or about what one of those is about, and so on: nothing else
 * can overrule or repeat a seed. In their order.
 * @example
 * declare const advisories: readonly Advisory[];
 * const [seed] = advisories;
 * const related = seed === undefined ? [] : sharingNames(advisories, [seed]);
 */
export function sharingNames<A extends NamedAdvisory>(
  advisories: readonly A[],
  seeds: readonly NamedAdvisory[],
): readonly A[] {
  const byName = new Map<string, A[]>();
  for (const advisory of advisories) {
    for (const name of allNames(advisory)) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [advisory]);
      else known.push(advisory);
    }
  }
  const [found, asked] = [new Set<A>(), new Set<string>()];
  for (const next = seeds.flatMap(allNames); next.length > 0; ) {
    const name = next.pop() ?? "";
    if (asked.has(name)) continue;
    asked.add(name);
    for (const advisory of byName.get(name) ?? []) {
      if (found.has(advisory)) continue;
      found.add(advisory);
      next.push(...allNames(advisory));
    }
  }
  return advisories.filter((advisory) => found.has(advisory));
}

function allNames(advisory: NamedAdvisory): readonly string[] {
  const { name, ids } = namesOf(advisory);
  return [name, ...ids];
}
