/**
 * Comma-separated values, for spreadsheets.
 *
 * text = record CRLF …; record = field "," …; field = DQUOTE … DQUOTE, in which DQUOTE is doubled
 * @see https://www.rfc-editor.org/rfc/rfc4180#section-2
 */
import type { Component } from "./components.ts";
import { countOf, coverageSentences } from "./coverage-sentences.ts";
import { needersOf } from "./finding-texts.ts";
import { type ImageFinding, listImageFindings, listSuppressed, type SuppressedFinding } from "./image-findings.ts";
import type { FindingsStamp, MatchedImage } from "./reported-image.ts";

/** The columns, in order. */
const columns = [
  ...["image", "status", "vulnerability", "aliases", "severity", "severity_source", "cvss", "epss", "known_exploited"],
  ...["package", "version", "fixed_in", "purl", "path", "layer", "reason", "author", "expires", "needed_by"],
] as const;

type Row = Readonly<Record<string, string | undefined>>;

/**
 * Formats the findings of an image as comma-separated values with a header line. `status` is `affected`, `suppressed` for findings that
 * statements suppress, `not assessed` for gaps of the report, and `not shown` for findings that the stamp hides. A field that a
 * spreadsheet would interpret as a formula is prefixed with an apostrophe.
 *
 * @example
 * declare const report: ScanReport;
 * toCsv(report, { toolVersion: "1.0.0", createdAt: Date.now() });
 */
export function toCsv(image: MatchedImage, stamp: FindingsStamp): string {
  const { shown, hidden } = listImageFindings(image, stamp);
  const rows: readonly Row[] = [
    ...shown.map(findingRow),
    ...listSuppressed(image).map(suppressedRow),
    ...coverageSentences(image, stamp.createdAt).map((reason) => ({ status: "not assessed", reason })),
    ...(hidden === 0 ? [] : [{ status: "not shown", reason: countOf(hidden, "more finding") }]),
  ];
  const records = rows.map((row) => columns.map((name) => (name === "image" ? image.reference : (row[name] ?? ""))));
  return [columns, ...records].map((record) => record.map(field).join(",")).join("\r\n");
}

function findingRow(finding: ImageFinding): Row {
  const { id, vulnerability, severity, severitySource, risk, fixedIn, component } = finding;
  return {
    ...packageMembers(component),
    status: "affected",
    vulnerability: id,
    aliases: vulnerability.aliases.join(" "),
    severity,
    severity_source: severitySource,
    cvss: risk.score?.toString(),
    epss: risk.epss?.probability.toString(),
    known_exploited: risk.isExploited ? "yes" : "no",
    fixed_in: fixedIn,
    needed_by: needersOf(finding).join(" > "),
  };
}

function suppressedRow({ component, vulnerability, statement }: SuppressedFinding): Row {
  const { status, justification, detail, author, expiresAt } = statement;
  return {
    ...packageMembers(component),
    status: "suppressed",
    vulnerability: vulnerability.name,
    aliases: vulnerability.aliases.join(" "),
    severity: vulnerability.normalizedSeverity,
    reason: [status, justification, detail].filter(Boolean).join(": "),
    author,
    expires: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  };
}

function packageMembers({ package: found, purl, locations }: Component): Row {
  const [place] = locations;
  return { package: found.name, version: found.version, purl, path: place?.path, layer: place?.layer };
}

/** Matches the characters that start a formula in spreadsheets. */
const formula = /^[=+\-@\t\r\n]/;

function field(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
