import { useDeferredValue, useMemo } from "react";
import { FindingFilters } from "../findings/finding-filters.tsx";
import { severities } from "../severities/severities.ts";
import { Chip } from "../shared/chip.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";
import { FindingTable } from "./finding-table.tsx";
import { countsOf, type Finding, filterFindings } from "./findings.ts";
import { UpgradeList } from "./upgrade-list.tsx";

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
