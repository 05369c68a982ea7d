import { type NamedAdvisory, namesOf } from "./vulnerability-names.ts";

/**
 * The advisories that share a vulnerability name with a seed, directly or through other advisories; only these can overrule or
 * repeat a seed. They keep their order.
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
  const [found, visited] = [new Set<A>(), new Set<string>()];
  for (const next = seeds.flatMap(allNames); next.length > 0; ) {
    const name = next.pop() ?? "";
    if (visited.has(name)) continue;
    visited.add(name);
    for (const advisory of byName.get(name) ?? []) {
      if (found.has(advisory)) continue;
      found.add(advisory);
      for (const shared of allNames(advisory)) next.push(shared);
    }
  }
  return advisories.filter((advisory) => found.has(advisory));
}

function allNames(advisory: NamedAdvisory): readonly string[] {
  const { name, ids } = namesOf(advisory);
  return [name, ...ids];
}
