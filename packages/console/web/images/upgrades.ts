import { severities } from "../severities/severities.ts";
import { countSeverities, type Finding } from "./findings.ts";

/** What one upgrade of a package would remove. */
export interface Upgrade {
  /** The package that is upgraded: where several are built from one source, that source. */
  readonly name: string;
  readonly version: string;
  /** The lowest version that removes all of the findings; empty: no fix is known. */
  readonly to: string;
  /** The greatest risk first. */
  readonly findings: readonly Finding[];
}

/**
 * The findings by the upgrades that remove them: all that a package has go with one upgrade. The upgrade that removes the greatest risk comes first: the
 * most that are known to be exploited, then the most of the worst severity. Those without a fix come last.
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

/** How many findings are exploited, and how many there are of each severity, the worst first. */
function risksOf({ findings }: Upgrade): readonly number[] {
  const counts = new Map(countSeverities(findings));
  const exploited = findings.filter(({ vulnerability }) => vulnerability.KnownExploited).length;
  return [exploited, ...severities.map((severity) => counts.get(severity) ?? 0)];
}
