import { coverageRecord } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { risksOf } from "@plimsoll/core/match";
import type { BillDiff, Package, ReportDiff, ReportFinding, ScanReport, Severity } from "@plimsoll/scanner";
import { markdownText } from "@plimsoll/scanner/formats";
import { type FindingFilter, passes } from "../cli/finding-filter.ts";
import type { DiffFormat } from "../cli/output-format.ts";
import type { Renderers } from "../cli/write-results.ts";
import type { Palette } from "./colour.ts";
import { coverageText } from "./footer.ts";
import { imageName } from "./image-header.ts";
import { prettyJson } from "./json.ts";
import { type Column, layOutTable } from "./table.ts";

/** Two sides and the difference between them. */
export interface DiffView {
  readonly diff: ReportDiff;
  /** What records of packages say. */
  readonly bill: BillDiff;
  readonly before: DiffSide;
  readonly after: DiffSide;
}

/** One side of a comparison. */
export interface DiffSide {
  readonly scan: ScanReport;
  /** The date of the advisories in epoch milliseconds; undefined for now, or for the date of a report. */
  readonly asOf: number | undefined;
}

/** The filter and the colours of the result. JSON is complete, independent of `--show`. */
export interface DiffOptions {
  readonly show: FindingFilter;
  readonly palette: Palette;
}

/** The renderers for the difference between two sides. */
export function diffRenderers(view: DiffView, { show, palette }: DiffOptions): Renderers<DiffFormat> {
  const [packages, findings] = [packageRows(view.diff), findingRows(view, show)];
  return {
    table: ({ width }) => [...tableLines(view, { packages, findings, palette, width })],
    json: () => [prettyJson(toJson(view))],
    ndjson: () => [...jsonLines(view, show)].map((line) => JSON.stringify(line)),
    markdown: () => [...markdownLines(view, packages, findings)],
  };
}

type Change = "added" | "removed" | "changed";

interface PackageRow {
  readonly change: Change;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

function packageRows({ packages }: ReportDiff): readonly PackageRow[] {
  return [
    ...packages.added.map(({ name, version }) => ({ change: "added", name, before: "", after: version }) as const),
    ...packages.removed.map(({ name, version }) => ({ change: "removed", name, before: version, after: "" }) as const),
    ...packages.changed.map(
      ({ before, after }) =>
        ({ change: "changed", name: after.name, before: before.version, after: after.version }) as const,
    ),
  ];
}

interface FindingRow {
  readonly change: Change;
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly fixedIn: string;
  readonly severity: Severity;
  readonly why: string;
}

/** Whether findings of each side are shown. */
function shownFindings({ before, after }: DiffView, show: FindingFilter) {
  const [was, is] = [before, after].map(({ scan: { vulnerabilities } }) => {
    const risks = risksOf(vulnerabilities);
    return ({ vulnerability: { id, normalizedSeverity: severity, fixedInVersion: fixedIn } }: ReportFinding) => {
      const risk = risks.get(id);
      return risk !== undefined && passes(show, { severity, risk, fixedIn });
    };
  }) as [(finding: ReportFinding) => boolean, (finding: ReportFinding) => boolean];
  return { was, is };
}

function findingRows(view: DiffView, show: FindingFilter): readonly FindingRow[] {
  const { added, removed, changed } = view.diff;
  const { was, is } = shownFindings(view, show);
  return [
    ...added.filter(is).map((each) => findingRow("added", each, causes[each.cause])),
    ...removed.filter(was).map((each) => findingRow("removed", each, causes[each.cause])),
    ...changed
      .filter(({ before, after }) => was(before) || is(after))
      .map(({ before, after }) => findingRow("changed", after, changeText(before, after))),
  ];
}

const causes = {
  "package-added": "the package is new",
  "suppression-ended": "no statement suppresses it any more",
  undecided: "the other side cannot decide it",
  "version-changed": "the package has another version",
  "advisory-added": "the advisory is new",
  "evidence-changed": "the package's known origin is different",
  "package-removed": "the package is gone",
  suppressed: "a statement suppresses it",
  fixed: "the package has another version",
  "advisory-withdrawn": "the advisory was withdrawn or changed",
} as const;

function findingRow(change: Change, { package: found, vulnerability }: ReportFinding, why: string): FindingRow {
  const { name: id, fixedInVersion = "no fix", normalizedSeverity: severity } = vulnerability;
  return { change, id, package: found.name, version: found.version, fixedIn: fixedInVersion, severity, why };
}

/** The visible differences between two versions of a finding. */
function changeText(before: ReportFinding, after: ReportFinding): string {
  const fields = ({ package: { version }, vulnerability }: ReportFinding) => [
    ["version", version],
    ["name", vulnerability.name],
    ["severity", vulnerability.normalizedSeverity],
    ["fixed in", vulnerability.fixedInVersion ?? "no fix"],
  ];
  const [old, now] = [fields(before), fields(after)];
  const differing = old.flatMap(([what, value], index) => {
    const other = now[index]?.[1];
    return value === other ? [] : [`${what} ${value} -> ${other}`];
  });
  return differing.length === 0 ? "its text" : differing.join(", ");
}

function summary(packages: readonly PackageRow[], findings: readonly FindingRow[]): readonly [string, string] {
  const count = (rows: readonly { readonly change: Change }[]) =>
    (["added", "removed", "changed"] as const)
      .map((change) => `${rows.filter((row) => row.change === change).length} ${change}`)
      .join(", ");
  return [`packages: ${count(packages)}`, `findings: ${count(findings)}`];
}

function sideText({ scan, asOf }: DiffSide): string {
  const at = asOf === undefined ? "" : `, as of ${new Date(asOf).toISOString()}`;
  return `${safeText(imageName(scan))} ${scan.index.manifestDigest}${at}`;
}

interface TableParts {
  readonly packages: readonly PackageRow[];
  readonly findings: readonly FindingRow[];
  readonly palette: Palette;
  readonly width: number | undefined;
}

function* tableLines(view: DiffView, { packages, findings, palette, width }: TableParts): Iterable<string> {
  for (const [title, side] of [["before:", view.before] as const, ["after: ", view.after] as const]) {
    yield palette.quiet(`${title} ${sideText(side)}`);
    yield palette.quiet(`        coverage: ${coverageText(side.scan.vulnerabilities)}`);
  }
  const [ofPackages, ofFindings] = summary(packages, findings);
  yield "";
  yield palette.strong(ofPackages);
  if (packages.length > 0) yield* layOutTable(packageColumns, packages, width);
  for (const { title, columns, rows } of billTables(view.bill)) {
    yield "";
    yield palette.strong(title);
    if (rows.length > 0) yield* layOutTable(columns.map(billColumn), rows, width);
  }
  yield "";
  yield palette.strong(ofFindings);
  if (findings.length > 0) yield* layOutTable(findingColumns(palette), findings, width);
}

const packageColumns: readonly Column<PackageRow>[] = [
  { title: "CHANGE", text: ({ change }) => change, least: Number.POSITIVE_INFINITY },
  { title: "PACKAGE", text: ({ name }) => safeText(name), least: 10 },
  { title: "BEFORE", text: ({ before }) => safeText(before), least: 10 },
  { title: "AFTER", text: ({ after }) => safeText(after), least: 10 },
];

/** What changed in what packages say, as a table. */
interface BillTable {
  /** `licenses: 1 changed` */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table for each kind that both sides know. */
function* billTables({ licenses, dependencies }: BillDiff): Generator<BillTable> {
  if (licenses !== undefined) {
    yield {
      title: `licenses: ${licenses.length} changed`,
      columns: ["package", "before", "after"],
      rows: licenses.map(({ name, before = "not stated", after = "not stated" }) => [name, before, after]),
    };
  }
  if (dependencies !== undefined) {
    yield {
      title: `dependencies: ${dependencies.length} changed`,
      columns: ["package", "no longer needs", "needs now"],
      rows: dependencies.map(({ name, added, removed }) => [name, removed.join(", "), added.join(", ")]),
    };
  }
}

function billColumn(title: string, index: number): Column<readonly string[]> {
  return { title: title.toUpperCase(), text: (row) => safeText(row[index] ?? ""), least: 10 };
}

function findingColumns(palette: Palette): readonly Column<FindingRow>[] {
  return [
    { title: "CHANGE", text: ({ change }) => change, least: Number.POSITIVE_INFINITY },
    { title: "VULNERABILITY", text: ({ id }) => safeText(id), style: (text) => palette.strong(text) },
    { title: "PACKAGE", text: (row) => safeText(row.package), least: 10 },
    { title: "VERSION", text: ({ version }) => safeText(version), least: 10 },
    { title: "FIXED IN", text: ({ fixedIn }) => safeText(fixedIn), least: 10 },
    {
      title: "SEVERITY",
      text: ({ severity }) => severity,
      least: Number.POSITIVE_INFINITY,
      style: (text, { severity }) => palette.severity(text, severity),
    },
    { title: "WHY", text: ({ why }) => safeText(why) },
  ];
}

function* markdownLines(
  view: DiffView,
  packages: readonly PackageRow[],
  findings: readonly FindingRow[],
): Iterable<string> {
  const [ofPackages, ofFindings] = summary(packages, findings);
  for (const [title, side] of [["Before", view.before] as const, ["After", view.after] as const]) {
    yield `- ${title}: ${markdownText(sideText(side))}`;
    yield `  - Coverage: ${markdownText(coverageText(side.scan.vulnerabilities))}`;
  }
  yield "";
  yield `## ${capital(ofPackages)}`;
  if (packages.length > 0)
    yield* markdownTable(
      ["change", "package", "before", "after"],
      packages.map(({ change, name, before, after }) => [change, name, before, after]),
    );
  for (const { title, columns, rows } of billTables(view.bill)) {
    yield "";
    yield `## ${capital(title)}`;
    if (rows.length > 0) yield* markdownTable(columns, rows);
  }
  yield "";
  yield `## ${capital(ofFindings)}`;
  if (findings.length > 0)
    yield* markdownTable(
      ["change", "vulnerability", "package", "version", "fixed in", "severity", "why"],
      findings.map((row) => [row.change, row.id, row.package, row.version, row.fixedIn, row.severity, row.why]),
    );
}

function* markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): Iterable<string> {
  yield "";
  yield `| ${titles.join(" | ")} |`;
  yield `|${" --- |".repeat(titles.length)}`;
  for (const row of rows) yield `| ${row.map(markdownText).join(" | ")} |`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toJson({ diff, bill, before, after }: DiffView): object {
  const { packages, added, removed, changed } = diff;
  return {
    before: sideJson(before),
    after: sideJson(after),
    packages: {
      added: packages.added.map(packageJson),
      removed: packages.removed.map(packageJson),
      changed: packages.changed.map((each) => ({ before: packageJson(each.before), after: packageJson(each.after) })),
    },
    licenses: bill.licenses?.map(changeJson),
    dependencies: bill.dependencies?.map(changeJson),
    findings: {
      added: added.map(({ cause, ...each }) => ({ ...findingJson(each), cause })),
      removed: removed.map(({ cause, ...each }) => ({ ...findingJson(each), cause })),
      changed: changed.map((each) => ({ before: findingJson(each.before), after: findingJson(each.after) })),
    },
  };
}

function sideJson({ scan, asOf }: DiffSide): object {
  const { source, reference, index } = scan;
  const at = asOf === undefined ? {} : { as_of: new Date(asOf).toISOString() };
  const coverage = coverageRecord(scan.vulnerabilities);
  return { source, reference, manifest_hash: index.manifestDigest, ...at, coverage };
}

function changeJson({ name, ...change }: { readonly name: string }): object {
  return { package: name, ...change };
}

function packageJson({ name, version, arch }: Package): object {
  return { name, version, arch };
}

function findingJson({ package: found, vulnerability }: ReportFinding): object {
  const { name, aliases, normalizedSeverity, fixedInVersion, updater } = vulnerability;
  return {
    vulnerability: name,
    aliases: aliases.length > 0 ? aliases : undefined,
    severity: normalizedSeverity,
    package: found.name,
    version: found.version,
    fixed_in_version: fixedInVersion,
    updater,
  };
}

function* jsonLines(view: DiffView, show: FindingFilter): Iterable<object> {
  const { diff, bill, before, after } = view;
  yield { kind: "images", before: sideJson(before), after: sideJson(after) };
  const { packages, added, removed, changed } = diff;
  for (const each of packages.added) yield { kind: "package", change: "added", ...packageJson(each) };
  for (const each of packages.removed) yield { kind: "package", change: "removed", ...packageJson(each) };
  for (const each of packages.changed)
    yield { kind: "package", change: "changed", before: packageJson(each.before), after: packageJson(each.after) };
  for (const each of bill.licenses ?? []) yield { kind: "license", ...changeJson(each) };
  for (const each of bill.dependencies ?? []) yield { kind: "dependencies", ...changeJson(each) };
  const { was, is } = shownFindings(view, show);
  for (const { cause, ...each } of added.filter(is))
    yield { kind: "finding", change: "added", cause, ...findingJson(each) };
  for (const { cause, ...each } of removed.filter(was))
    yield { kind: "finding", change: "removed", cause, ...findingJson(each) };
  for (const each of changed.filter((one) => was(one.before) || is(one.after)))
    yield { kind: "finding", change: "changed", before: findingJson(each.before), after: findingJson(each.after) };
}
