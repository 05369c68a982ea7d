/** The parts of the HTML report. `scripts/build-report.ts` compiles this for `@plimsoll/scanner`: elements become HTML text without React. */
import { CoverageNotice } from "../findings/coverage-notice.tsx";
import { findingColumns } from "../findings/finding-columns.tsx";
import { FindingFacts } from "../findings/finding-facts.tsx";
import { FindingFilters } from "../findings/finding-filters.tsx";
import type { FindingCounts } from "../findings/shown-finding.ts";
import { SeverityBar } from "../severities/severity-bar.tsx";
import { Fact } from "../shared/fact.tsx";
import { TableRow } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";
import type { ReportFinding, ReportParts } from "./report-parts.ts";

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

const reportFilterWords = texts.report;

/** The filters of the table of findings. The script of the page applies them. */
function ReportFilters({ counts }: { readonly counts: FindingCounts }) {
  return (
    <div className="controls">
      <FindingFilters
        counts={counts}
        search={
          <input
            type="search"
            id="search"
            placeholder={reportFilterWords.search}
            aria-label={reportFilterWords.search}
            autoComplete="off"
          />
        }
        chip={({ param, value, label }) => (
          <button
            key={`${param} ${value}`}
            type="button"
            className="chip"
            data-param={param}
            data-value={value}
            aria-pressed={false}
          >
            {label}
          </button>
        )}
      >
        <button type="button" id="reset">
          {reportFilterWords.reset}
        </button>
        <span id="status" role="status" className="empty" />
      </FindingFilters>
    </div>
  );
}

const columns = findingColumns<ReportFinding>(({ id, link, alias }) => (
  <span className="unbroken">
    {link === undefined ? (
      id
    ) : (
      <a href={link} rel="noreferrer noopener" target="_blank">
        {id}
      </a>
    )}
    {alias !== undefined && <span className="alias">{alias}</span>}
  </span>
));

/** The attribute of the rows by which each column is sorted. */
const keys = ["rank", "id", "risk", "score", "package", "version", "fixedIn", "layer"] as const;

const numbers: readonly string[] = ["rank", "risk", "score"];

/** The titles of the columns; each is a button that sorts the table. */
function ReportHead() {
  return (
    <thead>
      <tr>
        {columns.map(({ title }, at) => {
          const key = keys[at] ?? "id";
          return (
            <th key={title} scope="col">
              <button type="button" data-key={key} data-kind={numbers.includes(key) ? "number" : "text"}>
                {title}
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** One finding: a row with its facts, and below it a row with its details. */
function ReportRows({ finding }: { readonly finding: ReportFinding }) {
  const { details, places, more, remedy } = finding;
  return (
    <tbody className="finding" {...attributesOf(finding)}>
      <TableRow columns={columns} row={finding} narrow="scrolls" />
      <tr className="more">
        <td colSpan={columns.length}>
          <details className="details">
            <summary>{details.description.slice(0, 300) || texts.report.evidence}</summary>
            <FindingFacts
              details={details}
              evidence={<Lines lines={places} isCode />}
              first={<Fact name={texts.report.remedy}>{remedy}</Fact>}
            >
              {more.map(({ name, lines, isCode = false }) => (
                <Fact key={name} name={name}>
                  <Lines lines={lines} isCode={isCode} />
                </Fact>
              ))}
            </FindingFacts>
          </details>
        </td>
      </tr>
    </tbody>
  );
}

function Lines({ lines, isCode }: { readonly lines: readonly string[]; readonly isCode: boolean }) {
  return lines.map((line) => (
    <span key={line} className="line-of-fact">
      {isCode ? <code>{line}</code> : line}
    </span>
  ));
}

/** The attributes by which the script of the page searches, sorts and filters. */
function attributesOf(finding: ReportFinding): Readonly<Record<`data-${string}`, string | number>> {
  const { severity, rank, id, isExploited, epss = 0, score = "", packageName, version, fixedIn, layer, text } = finding;
  return {
    "data-severity": severity,
    "data-rank": rank,
    "data-id": id,
    "data-risk": Number(isExploited) + epss,
    "data-score": score,
    "data-package": packageName,
    "data-version": version,
    "data-fixed-in": fixedIn,
    "data-layer": layer,
    "data-exploited": isExploited ? "yes" : "no",
    "data-fixed": fixedIn === "" ? "no" : "yes",
    "data-text": text,
  };
}
