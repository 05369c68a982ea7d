import { endedAt } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { type Finding, formatPlatform, type ScanReport } from "@plimsoll/scanner";
import {
  type FindingsStamp,
  fromTemplate,
  type GitHubStamp,
  toCsv,
  toCycloneDx,
  toGitHubSnapshot,
  toGitLab,
  toHtml,
  toJunit,
  toMarkdown,
  toOpenVex,
  toSarif,
  toSpdx,
  toVex,
} from "@plimsoll/scanner/formats";
import { type FindingFilter, passes } from "../cli/finding-filter.ts";
import { unjudged } from "../cli/gate.ts";
import type { ScanFormat } from "../cli/output-format.ts";
import type { Renderers } from "../cli/write-results.ts";
import type { Palette } from "./colour.ts";
import { scanFooter } from "./footer.ts";
import { imageHeader } from "./image-header.ts";
import { prettyJson } from "./json.ts";
import { type Column, layOutTable } from "./table.ts";
import { counted } from "./terminal-text.ts";

/** How scans are shown. */
interface ScanView {
  readonly show: FindingFilter;
  /** The filter of the gate; the summary counts what the gate does not judge. */
  readonly failOn?: FindingFilter;
  readonly palette: Palette;
  /** Whether the user asked for every platform: JSON is then a list. */
  readonly several: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly stamp: GitHubStamp;
}

/**
 * The renderers for scan results. Formats for readers and for trackers of findings contain what `--show` selects. JSON (the contract's
 * `vulnerability_report`), bills of materials, VEX documents and the snapshot for GitHub are complete.
 */
export function scanRenderers(reports: readonly ScanReport[], view: ScanView): Renderers<ScanFormat> {
  const { stamp, show } = view;
  const shows: FindingsStamp["shows"] = (finding) => passes(show, finding);
  const shown = { ...stamp, shows };
  const documents = (write: (report: ScanReport) => object) => () => reports.map((each) => prettyJson(write(each)));
  return {
    table: ({ width }) =>
      reports.flatMap((report, index) => [...(index === 0 ? [] : [""]), ...reportTable(report, view, width)]),
    json: () => [prettyJson(view.several ? reports : reports[0])],
    ndjson: () => reports.flatMap((report) => [...reportLines(report, view)]).map((line) => JSON.stringify(line)),
    sarif: documents((report) => toSarif(report, shown)),
    cyclonedx: documents((report) => toCycloneDx(report, stamp)),
    spdx: documents((report) => toSpdx(report, stamp)),
    vex: documents((report) => toVex(report, stamp)),
    openvex: documents((report) => toOpenVex(report, stamp)),
    markdown: () => reports.map((report) => toMarkdown(report, shown)),
    html: () => reports.map((report) => toHtml(report, shown)),
    junit: () => reports.map((report) => toJunit(report, shown)),
    csv: () => reports.map((report) => toCsv(report, shown)),
    gitlab: documents((report) => toGitLab(report, shown)),
    github: documents((report) => toGitHubSnapshot(report, stamp)),
    template: ({ template }) =>
      reports.map((report) => fromTemplate(report, { ...shown, template }).replace(/\n$/, "")),
  };
}

function* reportTable(
  report: ScanReport,
  { show, palette, failOn, now }: ScanView,
  width: number | undefined,
): Iterable<string> {
  const shown = shownFindings(report, show);
  yield* imageHeader(report, { palette, now });
  if (shown.length > 0) {
    yield* scanTable(shown, palette, width);
    yield "";
  }
  yield* scanFooter(report.vulnerabilities, shown);
  if (failOn !== undefined) yield* gateLines(unjudged(report, failOn));
}

function* gateLines({ unknown, undecided }: ReturnType<typeof unjudged>): Iterable<string> {
  if (unknown + undecided > 0) {
    yield `gate: not judged by --fail-on: ${counted(unknown, "finding")} of Unknown severity, ${undecided} undecided`;
  }
}

function* reportLines(report: ScanReport, { show, now }: ScanView): Iterable<object> {
  const { source, reference, platform, index, vulnerabilities } = report;
  const ends = endedAt(vulnerabilities.endsOfLife, now);
  const ended = new Map(ends.flatMap((end) => (end.kind === "distribution" ? [[end.distributionId, end.day]] : [])));
  yield {
    kind: "image",
    source,
    reference,
    platform: platform && formatPlatform(platform),
    manifest: index.manifestDigest,
    distributions: Object.values(index.distributions).map((distribution) => ({
      did: distribution.did,
      version_id: distribution.versionId,
      ended: ended.has(distribution.id) ? ended.get(distribution.id) : undefined,
    })),
  };
  for (const finding of shownFindings(report, show)) yield findingLine(finding);
  for (const { fact, packageIds } of vulnerabilities.coverage.undecided ?? []) {
    for (const id of packageIds) {
      const { name, version } = vulnerabilities.packages[id] ?? {};
      yield { kind: "undecided", package: name, version, fact };
    }
  }
  for (const { packageId, name, reason } of vulnerabilities.undecided) {
    yield { kind: "undecided", package: vulnerabilities.packages[packageId]?.name, vulnerability: name, reason };
  }
  for (const { packageId, vulnerabilityId, expiresAt, ...why } of vulnerabilities.suppressed) {
    yield {
      kind: "suppressed",
      package: vulnerabilities.packages[packageId]?.name,
      vulnerability: vulnerabilities.vulnerabilities[vulnerabilityId]?.name,
      ...why,
      expires: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    };
  }
  for (const end of ends) {
    if (end.kind === "distribution") continue;
    const { product, release, day } = end;
    yield { kind: "end-of-life", package: vulnerabilities.packages[end.packageId]?.name, product, release, day };
  }
  yield { kind: "coverage", ...vulnerabilities.coverage, feeds: vulnerabilities.feeds };
}

function findingLine(finding: Finding): object {
  return {
    kind: "finding",
    vulnerability: finding.id,
    aliases: finding.vulnerability.aliases.length > 0 ? finding.vulnerability.aliases : undefined,
    severity: finding.severity,
    severity_source: finding.severitySource,
    cvss: finding.risk.score,
    epss: finding.risk.epss,
    known_exploited: finding.risk.isExploited ? true : undefined,
    package: finding.package.name,
    version: finding.package.version,
    arch: finding.package.arch,
    scope: finding.isForDevelopment === true ? "development" : undefined,
    fixed_in_version: finding.fixedIn,
    introduced_in: finding.layer,
    package_db: finding.packageDb,
    needed_by: finding.neededBy?.map(({ name, version }) => `${name} ${version}`.trim()),
    reached: finding.reached,
    updater: finding.vulnerability.updater,
  };
}

function shownFindings(report: ScanReport, show: FindingFilter): Finding[] {
  return report.findings().filter((finding) => passes(show, finding));
}

/** The least width of columns with names and versions. */
const leastText = 10;
const shownAliases = 2;
/** From this width on, the table says which package needs the one of a finding. */
const wideTable = 100;
/** From this width on, that of most terminals, it says that nothing shows that a package is used. */
const usualTable = 80;

/** Findings as a table, one row each, in their order. If the table is too wide, packages and versions are shortened. */
function scanTable(findings: readonly Finding[], palette: Palette, width?: number): Iterable<string> {
  const columns: readonly Column<Finding>[] = [
    { title: "VULNERABILITY", text: ({ id }) => safeText(id), style: (text) => palette.strong(text) },
    { title: "PACKAGE", least: leastText, text: (finding) => safeText(finding.package.name) },
    { title: "INSTALLED", least: leastText, text: (finding) => safeText(finding.package.version) },
    { title: "FIXED IN", least: leastText, text: ({ fixedIn }) => safeText(fixedIn ?? "no fix") },
    {
      title: "SEVERITY",
      least: Number.POSITIVE_INFINITY,
      text: ({ severity }) => severity,
      style: (text, { severity }) => palette.severity(text, severity),
    },
  ];
  const risks = riskColumns.filter(({ text }) => findings.some((finding) => text(finding) !== ""));
  const aliases: Column<Finding> = { title: "ALIASES", least: 0, text: aliasText };
  const needers: Column<Finding> = {
    title: "NEEDED BY",
    least: leastText,
    text: ({ neededBy: [first] = [] }) => safeText(first?.name ?? ""),
  };
  const reached: Column<Finding> = { title: "REACHED", text: ({ reached: text = "" }) => text };
  const haveReached = (width ?? usualTable) >= usualTable && findings.some((finding) => finding.reached !== undefined);
  const haveNeeders = (width ?? wideTable) >= wideTable && findings.some(({ neededBy }) => neededBy !== undefined);
  const haveAliases = width === undefined && findings.some(({ vulnerability }) => vulnerability.aliases.length > 0);
  return layOutTable(
    [
      ...columns,
      ...(haveNeeders ? [needers] : []),
      ...(haveReached ? [reached] : []),
      ...risks,
      ...(haveAliases ? [aliases] : []),
    ],
    findings,
    width,
  );
}

/** Columns that are shown if a finding has a value in them. */
const riskColumns: readonly Column<Finding>[] = [
  { title: "EPSS", least: Number.POSITIVE_INFINITY, text: ({ risk }) => percentText(risk.epss?.probability) },
  { title: "SCOPE", text: ({ isForDevelopment }) => (isForDevelopment === true ? "development" : "") },
  {
    title: "EXPLOITED",
    least: Number.POSITIVE_INFINITY,
    text: ({ risk }) => (risk.isExploited ? "yes" : ""),
  },
];

/** `97.2%`; small values as `<0.1%`. */
function percentText(probability: number | undefined): string {
  if (probability === undefined) return "";
  return probability < 0.001 ? "<0.1%" : `${(probability * 100).toFixed(1)}%`;
}

/** `XSA-229 DSA-4050-1 +1` */
function aliasText({ vulnerability: { aliases } }: Finding): string {
  const more = aliases.length > shownAliases ? ` +${aliases.length - shownAliases}` : "";
  return safeText(aliases.slice(0, shownAliases).join(" ")) + more;
}
