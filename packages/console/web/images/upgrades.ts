import { severities } from "../severities/severities.ts";
import { countSeverities, type Finding } from "./findings.ts";

/** An upgrade of a package, with the findings that it removes. */
export interface Upgrade {
  /** The package to upgrade: its source package, if it has one. */
  readonly name: string;
  readonly version: string;
  /** The lowest version that fixes all of the findings; empty if no fix is known. */
  readonly to: string;
  /** The greatest risk first. */
  readonly findings: readonly Finding[];
}

/**
 * Groups findings by the upgrades that remove them: one upgrade for all fixable findings of a package. The upgrade that removes the
 * greatest risk comes first: most exploited findings, then most findings of the worst severity. Findings without a fix come last.
 */
export function upgradesOf(findings: readonly Finding[]): readonly Upgrade[] {
  const groups = Map.groupBy(findings, ({ feature: { Name, Version, Source, UpgradeTo }, fixedIn }) =>
    JSON.stringify([Source?.Name ?? Name, Source?.Version ?? Version, fixedIn && (UpgradeTo ?? fixedIn)]),
  );
  const upgrades = [...groups].map(([key, found]) => {
    const [name, version, to] = JSON.parse(key) as [string, string, string];
    return { name, version, to, findings: found };
  });
  return upgrades.sort((one, other) => Number(one.to === "") - Number(other.to === "") || byRisk(one, other));
}

function byRisk(one: Upgrade, other: Upgrade): number {
  const [ours, theirs] = [risksOf(one), risksOf(other)];
  const place = ours.findIndex((count, index) => count !== theirs[index]);
  return place < 0 ? 0 : (theirs[place] ?? 0) - (ours[place] ?? 0);
}

/** The number of exploited findings, then the number of each severity, the worst first. */
function risksOf({ findings }: Upgrade): readonly number[] {
  const counts = new Map(countSeverities(findings));
  const exploited = findings.filter(({ vulnerability }) => vulnerability.KnownExploited).length;
  return [exploited, ...severities.map((severity) => counts.get(severity) ?? 0)];
}
