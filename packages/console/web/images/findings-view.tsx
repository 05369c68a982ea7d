import { useDeferredValue, useMemo } from "react";
import { severities } from "../severities/severities.ts";
import { SeverityBadge } from "../severities/severity-badge.tsx";
import { Chip } from "../shared/chip.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { FindingTable } from "./finding-table.tsx";
import { countSeverities, type Finding, filterFindings, summaryOf } from "./findings.ts";
import { UpgradeList } from "./upgrade-list.tsx";

const words = texts.findings;

/** The findings of an image: counts that are filters, and a table. The filters are in the address. */
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

/** How many findings there are of each kind; each count is a filter. */
function Filters({ findings }: { readonly findings: readonly Finding[] }) {
  const [text, setText] = useSearchParam("find");
  const { exploited, fixable } = summaryOf(findings);
  return (
    <div className="filters">
      <SearchField label={words.filter} value={text} onValue={setText} />
      {countSeverities(findings).map(([name, count]) => (
        <Chip key={name} param="severity" value={name}>
          <SeverityBadge severity={name} /> {formatCount(count)}
        </Chip>
      ))}
      {exploited > 0 && (
        <Chip param="exploited" value="yes">
          {words.onlyExploited} {formatCount(exploited)}
        </Chip>
      )}
      <Chip param="fixed" value="yes">
        {words.onlyFixed} {formatCount(fixable)}
      </Chip>
      <Chip param="group" value="upgrade">
        {words.byUpgrade}
      </Chip>
    </div>
  );
}
