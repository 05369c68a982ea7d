import { useDeferredValue, useMemo } from "react";
import { FindingFilters } from "../findings/finding-filters.tsx";
import { severities } from "../severities/severities.ts";
import { Chip } from "../shared/chip.tsx";
import { SearchField } from "../shared/fields.tsx";
import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";
import { FindingTable } from "./finding-table.tsx";
import { countSeverities, countsOf, type Finding, filterFindings } from "./findings.ts";

const words = texts.findings;

/** The findings of an image, with filters. The filters are in the address. */
export function FindingsView({ findings }: { readonly findings: readonly Finding[] }) {
  const [text] = useSearchParam("find");
  const [severityText] = useSearchParam("severity");
  const [fixed] = useSearchParam("fixed");
  const [exploited] = useSearchParam("exploited");
  const [group] = useSearchParam("group");
  const severity = severities.find((each) => each === severityText);
  const filter = useDeferredValue(text);
  const shown = useMemo(
    () =>
      filterFindings(findings, {
        text: filter,
        severity,
        onlyFixed: fixed === "yes",
        onlyExploited: exploited === "yes",
      }),
    [findings, filter, severity, fixed, exploited],
  );
  if (findings.length === 0) return undefined;
  const Shown = group === "upgrade" ? UpgradeList : FindingTable;
  return (
    <>
      <Filters findings={findings} />
      {shown.length === 0 ? <p className="empty">{words.noneLike}</p> : <Shown findings={shown} />}
    </>
  );
}

function Filters({ findings }: { readonly findings: readonly Finding[] }) {
  const [text, setText] = useSearchParam("find");
  return (
    <FindingFilters
      counts={countsOf(findings)}
      search={<SearchField label={words.filter} value={text} onValue={setText} />}
      chip={({ param, value, label }) => (
        <Chip key={`${param} ${value}`} param={param} value={value}>
          {label}
        </Chip>
      )}
    >
      <Chip param="group" value="upgrade">
        {words.byUpgrade}
      </Chip>
    </FindingFilters>
  );
}

/** Findings grouped by the upgrade that removes them. */
function UpgradeList({ findings }: { readonly findings: readonly Finding[] }) {
  const shown = useShownRows(upgradesOf(findings));
  return (
    <>
      {shown.rows.map((upgrade) => (
        <UpgradePart key={`${upgrade.name} ${upgrade.version} ${upgrade.to}`} upgrade={upgrade} />
      ))}
      <MoreRows {...shown} />
    </>
  );
}

function UpgradePart({ upgrade: { name, version, to, findings } }: { readonly upgrade: Upgrade }) {
  const hasFix = to !== "";
  return (
    <details className="upgrade" open={hasFix && findings.length <= 20}>
      <summary>
        {hasFix ? words.upgrade({ name, from: version, to }) : words.noUpgrade(name, version)}{" "}
        <small>
          {hasFix ? words.removes(findings.length) : findings.length}
          {": "}
          {words.severities(countSeverities(findings))}
        </small>
      </summary>
      <FindingTable findings={findings} />
    </details>
  );
}

/** An upgrade of a package, with the findings that it removes. */
interface Upgrade {
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
