import { useDeferredValue, useMemo } from "react";
import { useSearchParam } from "../shared/search-param.ts";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { FindingTable } from "./finding-table.tsx";
import { countSeverities, type Finding, filterFindings, severities } from "./findings.ts";
import { SeverityBadge } from "./severity-badge.tsx";

const words = texts.findings;

/** The findings of an image: counts that are filters, and a table. The filters are in the address. */
export function FindingsView({ findings }: { readonly findings: readonly Finding[] }) {
  const [text, setText] = useSearchParam("find");
  const [severityText, setSeverity] = useSearchParam("severity");
  const [fixed, setFixed] = useSearchParam("fixed");
  const severity = severities.find((each) => each === severityText);
  const filter = useDeferredValue(text);
  const shown = useMemo(
    () => filterFindings(findings, { text: filter, severity, onlyFixed: fixed === "yes" }),
    [findings, filter, severity, fixed],
  );
  if (findings.length === 0) return <p className="empty">{words.none}</p>;
  const fixable = findings.filter(({ fixedIn }) => fixedIn !== "").length;
  return (
    <>
      <p className="summary">{words.summary(fixable, findings.length - fixable)}</p>
      <div className="filters">
        <input
          type="search"
          aria-label={words.filter}
          placeholder={words.filter}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {countSeverities(findings).map(([name, count]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={severity === name}
            onClick={() => setSeverity(severity === name ? "" : name)}
          >
            <SeverityBadge severity={name} /> {formatCount(count)}
          </button>
        ))}
        <button
          type="button"
          className="chip"
          aria-pressed={fixed === "yes"}
          onClick={() => setFixed(fixed === "yes" ? "" : "yes")}
        >
          {words.onlyFixed} {formatCount(fixable)}
        </button>
      </div>
      {shown.length === 0 ? <p className="empty">{words.noneLike}</p> : <FindingTable findings={shown} />}
    </>
  );
}
