/** The parts of the HTML report. `scripts/build-report.ts` compiles this for `@plimsoll/scanner`: elements become HTML text without React. */
import { CoverageNotice } from "../findings/coverage-notice.tsx";
import { SeverityBar } from "../severities/severity-bar.tsx";
import { texts } from "../texts/texts.ts";
import { ReportFilters } from "./report-filters.tsx";
import type { ReportParts } from "./report-parts.ts";
import { ReportHead, ReportRows } from "./report-rows.tsx";

const words = texts.findings;

type Given<Name extends keyof Omit<ReportParts, "style">> = Parameters<ReportParts[Name]>[0];

export const summary = ({ severities, exploited, fixable, total }: Given<"summary">) => {
  const none = { critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0 };
  const counts = severities.map(([severity, count]) => [severity.toLowerCase(), count] as const);
  return (
    <>
      <p className="summary">{words.summary({ exploited, fixable, others: total - fixable })}</p>
      <p>
        <SeverityBar counts={{ ...none, ...Object.fromEntries(counts) }} />
        {words.severities(severities)}
      </p>
    </>
  );
};

export const coverage = ({ title, meaning, gaps }: Given<"coverage">) => {
  const shown = (
    <>
      <b>{title}</b> {meaning}
    </>
  );
  return <CoverageNotice title={shown} gaps={gaps.map((text, at) => ({ key: String(at), text }))} isOpen />;
};

export const filters = (counts: Given<"filters">) => <ReportFilters counts={counts} />;

export const findingHead = () => <ReportHead />;

export const findingRows = (finding: Given<"findingRows">) => <ReportRows finding={finding} />;
