import { compareSeverity, type Severity, severities } from "@plimsoll/core/severity";
import type { ImageManifestRow } from "@plimsoll/registry/content/queries/manifest-content";
import { orderParameter, readOrder } from "@plimsoll/registry/lists/list-pages";
import type { WantedFindings } from "@plimsoll/registry/ports/large-images";
import { type FindPackageUse, findPackageUses } from "@plimsoll/registry/security/find-package-uses";
import { nameToFind } from "@plimsoll/registry/security/finding-counts";
import { findImageReport, type SecurityDeps } from "@plimsoll/registry/security/image-security";
import { cooperativeYield } from "@plimsoll/store";
import { type Static, Type } from "typebox";
import { noSeverities, SeverityCounts } from "../content/views.ts";
import { sortedInSlices } from "./evidence-view.ts";
import { scanStates } from "./report-document.ts";
import { BareFeature, type SecurityReport, securityParts, Vulnerability } from "./security-report.ts";
import { type ImageSecurity, securityOf } from "./shown-security.ts";

const packageUse = {
  needed_by: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), version: Type.String() }), {
      description:
        "The packages by which the package is needed, the nearest first: each needs the one before it. At most 32. Absent if no package of the image is known to need it",
    }),
  ),
  reached: Type.Optional(
    Type.Enum(["no evidence"], {
      description:
        "Nothing in the image is known to need the package, and what the image starts does not lead to it. It does not follow that the package is not used. Absent if there is evidence, or if it is not known what the image starts",
    }),
  ),
};

const Finding = Type.Object({ package: BareFeature, vulnerability: Vulnerability, ...packageUse });

/** A vulnerability of one package of an image. */
export interface PagedFinding extends Pick<Static<typeof Finding>, "package" | "vulnerability"> {
  /** The id of the package in the report of the scanner; absent for one that was not matched. */
  readonly id?: string | undefined;
}

const Upgrade = Type.Object({
  key: Type.String({ description: "Names the upgrade in the query of its findings" }),
  package: Type.String({ description: "The package to upgrade: the source package, if there is one" }),
  version: Type.String(),
  to: Type.String({
    description: "The lowest version that fixes all of the findings; empty for those that no fix is known of",
  }),
  removes: SeverityCounts,
});

const Page = Type.Object({
  findings: Type.Optional(Type.Array(Finding)),
  upgrades: Type.Optional(Type.Array(Upgrade)),
  packages: Type.Optional(
    Type.Array(
      Type.Object({
        package: BareFeature,
        findings: Type.Union([Type.Integer(), Type.Null()], { description: "Null: it was not matched" }),
        ...packageUse,
      }),
    ),
  ),
  suppressed: Type.Optional(Type.Array(securityParts.Suppressed)),
  page: Type.Integer(),
  has_additional: Type.Boolean(),
  total: Type.Integer({ description: "The rows of all pages, which the filters keep" }),
  counts: Type.Object(
    {
      findings: SeverityCounts,
      vulnerabilities: SeverityCounts,
      packages: Type.Integer(),
      suppressed: Type.Integer(),
    },
    {
      description:
        "Of the whole image, without filters: findings, which are vulnerabilities by package, and vulnerabilities, each once with its worst severity, as in lists of images",
    },
  ),
  problems: Type.Array(securityParts.Problem, { description: "The first hundred" }),
  problem_count: Type.Integer(),
  feeds: Type.Array(securityParts.Feed),
});

/** A page of the findings of an image, or the state of its scan. */
export const FindingPage = Type.Object({
  status: Type.Enum([...scanStates]),
  data: Type.Union([Page, Type.Null()], { description: "Null unless the status is scanned" }),
  reason: Type.Optional(Type.String({ description: "Why the scan failed" })),
});
export type FindingPage = Static<typeof FindingPage>;

/** Which findings are asked for. */
export const FindingQuery = Type.Object({
  list: Type.Optional(
    Type.Enum(["findings", "upgrades", "packages", "suppressed"], {
      description:
        "What the rows are: findings where absent; upgrades, each with the number of findings that it removes; all packages; or the findings that rules and documents suppress",
    }),
  ),
  find: Type.Optional(
    Type.String({
      maxLength: 256,
      description: "A part of the name or an alias of the vulnerability, or of the package, in any case",
    }),
  ),
  severity: Type.Optional(Type.Enum([...severities])),
  fixed: Type.Optional(Type.Boolean({ description: "True: only findings that a fix is known of" })),
  exploited: Type.Optional(Type.Boolean({ description: "True: only vulnerabilities that are known to be exploited" })),
  upgrade: Type.Optional(
    Type.String({ maxLength: 2048, description: "The key of an upgrade: only the findings that it removes" }),
  ),
  order: orderParameter(
    ["risk", "severity", "name", "score", "package", "findings"],
    "-risk for findings and package for packages; upgrades and suppressed findings have their own order",
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Rows of a page; default: 50" })),
});

/** How many problems of a scan a page has. */
const mostProblems = 100;

/** The findings of an image, ready for pages of them. */
export interface ImageFindings {
  readonly security: ImageSecurity;
  /** The greatest risk first; empty without a report. */
  readonly findings: readonly PagedFinding[];
  readonly counts: Static<typeof Page>["counts"];
  /** The ids of the packages in the report of the scanner, in the order of its features; those that were not matched come behind them. */
  readonly ids: readonly string[];
  readonly useOf: FindPackageUse;
  /** When the first rule that suppresses some of them expires, in epoch milliseconds. */
  readonly until: number;
}

/** Reads the findings of an image. @throws RegistryError as {@link findImageReport} */
export async function readFindings(
  deps: SecurityDeps,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<ImageFindings> {
  const outcome = await findImageReport(deps, manifest, signal);
  const security = await securityOf(deps, manifest, outcome);
  const Layer = security.data?.Layer ?? { Features: [], Suppressed: [] };
  const ids = outcome.status === "scanned" ? Object.keys(outcome.report.packages) : [];
  const findings = await sortedInSlices(await findingsOf(Layer.Features, ids), byRank);
  const counts = {
    findings: countsOf(findings),
    vulnerabilities: await countVulnerabilities(findings),
    packages: Layer.Features.length,
    suppressed: Layer.Suppressed.length,
  };
  if (outcome.status !== "scanned") return { security, findings, counts, ids, useOf: () => ({}), until: 0 };
  const useOf = await findPackageUses(deps, manifest, signal);
  return { security, findings, counts, ids, useOf, until: outcome.until };
}

async function findingsOf(features: Features, ids: ImageFindings["ids"]): Promise<readonly PagedFinding[]> {
  const yieldToOthers = cooperativeYield();
  const findings: PagedFinding[] = [];
  for (const [at, feature] of features.entries()) {
    const same = { id: ids[at], package: packageOf(feature) };
    for (const vulnerability of feature.Vulnerabilities ?? []) findings.push({ ...same, vulnerability });
    await yieldToOthers();
  }
  return findings;
}

type Features = SecurityReport["Layer"]["Features"];

function packageOf({ BaseScores: _, CVEIds: __, Vulnerabilities: ___, ...found }: Features[number]) {
  return found;
}

function byRank(one: PagedFinding, other: PagedFinding): number {
  return one.vulnerability.Rank - other.vulnerability.Rank || compareTexts(keyOf(one), keyOf(other));
}

function keyOf({ package: { Name, Version, AddedBy }, vulnerability }: PagedFinding): string {
  return [Name, Version, AddedBy, vulnerability.Name].join(" ");
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function severityOf({ vulnerability: { Severity } }: PagedFinding): Severity {
  return severities.find((each) => each === Severity) ?? "Unknown";
}

/** The number of findings of each kind. */
function countsOf(findings: readonly PagedFinding[]): SeverityCounts {
  const counts = { ...noSeverities };
  for (const finding of findings) {
    counts[severityOf(finding).toLowerCase() as Lowercase<Severity>]++;
    if (finding.vulnerability.FixedBy !== "") counts.fixable++;
    if (finding.vulnerability.KnownExploited) counts.known_exploited++;
  }
  return counts;
}

/** Each vulnerability once, as `countFindings` of the registry counts them for lists. */
async function countVulnerabilities(findings: readonly PagedFinding[]): Promise<SeverityCounts> {
  const yieldToOthers = cooperativeYield();
  const found = new Map<string, PagedFinding>();
  for (const finding of findings) {
    const { vulnerability } = finding;
    const name = nameToFind(vulnerability.Name);
    const other = found.get(name) ?? finding;
    const isWorse = compareSeverity(severityOf(finding), severityOf(other)) > 0;
    const joined = {
      ...vulnerability,
      Severity: severityOf(isWorse ? finding : other),
      FixedBy: vulnerability.FixedBy || other.vulnerability.FixedBy,
      KnownExploited: vulnerability.KnownExploited || other.vulnerability.KnownExploited,
    };
    found.set(name, { ...finding, vulnerability: joined });
    await yieldToOthers();
  }
  return countsOf([...found.values()]);
}

/** One page of what is asked for. */
export async function findingPage(
  { security, findings, counts, ids, useOf }: ImageFindings,
  wanted: WantedFindings,
): Promise<FindingPage> {
  const { data, ...state } = security;
  if (data === null) return { ...state, data };
  const { page = 1, limit = 50 } = wanted;
  const { Problems, Feeds } = data.Layer;
  const rows = await rowsOf({ report: data, findings, ids }, wanted);
  const shown = rows.rows.slice((page - 1) * limit, page * limit).map((row) => withUse(row, useOf));
  const about = { counts, problems: Problems.slice(0, mostProblems), problem_count: Problems.length, feeds: Feeds };
  const place = { page, has_additional: rows.rows.length > page * limit, total: rows.rows.length };
  return { ...state, data: { [rows.list]: shown, ...place, ...about } };
}

/** A row about a package with what is known of its use; other rows as they are. */
function withUse(row: RowOfPackage | object, useOf: FindPackageUse): object {
  if (!isOfPackage(row)) return row;
  const { id, ...shown } = row;
  if (id === undefined) return shown;
  const { Name: name, Version: version } = row.package;
  const { neededBy, reached } = useOf({ id, name, version });
  return { ...shown, needed_by: neededBy?.toReversed().map((by) => ({ name: by.name, version: by.version })), reached };
}

type RowOfPackage = Pick<PagedFinding, "id" | "package">;

function isOfPackage(row: RowOfPackage | object): row is RowOfPackage {
  return "package" in row && typeof row.package === "object";
}

interface FoundInImage extends Pick<ImageFindings, "findings" | "ids"> {
  readonly report: SecurityReport;
}

/** All rows of a list. */
async function rowsOf({ report: { Layer }, findings, ids }: FoundInImage, wanted: WantedFindings) {
  const { list = "findings", find = "" } = wanted;
  const text = find.toLowerCase();
  const has = (...names: readonly string[]) => names.some((name) => name.toLowerCase().includes(text));
  switch (list) {
    case "findings":
      return { list, rows: await orderedFindings(filterFindings(findings, wanted), wanted.order) };
    case "upgrades":
      return { list, rows: groupByUpgrade(filterFindings(findings, wanted)) };
    case "packages": {
      const all = Layer.Features.map((feature, at) => ({ id: ids[at], feature }));
      const rows: PackageRow[] = all
        .filter(({ feature: { Name } }) => has(Name))
        .map(({ id, feature }) => ({
          id,
          package: packageOf(feature),
          findings: feature.Vulnerabilities?.length ?? null,
        }));
      const { column, direction } = readOrder(wanted.order ?? "package");
      const way = direction === "asc" ? 1 : -1;
      const by =
        column === "findings" ? (row: PackageRow) => row.findings ?? -1 : (row: PackageRow) => row.package.Name;
      return { list, rows: await sortedInSlices(rows, (one, other) => way * compareValues(by(one), by(other))) };
    }
    case "suppressed":
      return { list, rows: Layer.Suppressed.filter(({ Name, Package }) => has(Name, Package)) };
  }
}

interface PackageRow extends RowOfPackage {
  readonly findings: number | null;
}

function compareValues(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number" ? one - other : compareTexts(String(one), String(other));
}

/** The findings that pass the filters, in their order. */
export function filterFindings(findings: readonly PagedFinding[], wanted: WantedFindings): readonly PagedFinding[] {
  const { find = "", severity, fixed, exploited, upgrade } = wanted;
  const text = find.toLowerCase();
  return findings.filter((finding) => {
    const { package: found, vulnerability } = finding;
    if (severity !== undefined && severityOf(finding) !== severity) return false;
    if (fixed && vulnerability.FixedBy === "") return false;
    if (exploited && !vulnerability.KnownExploited) return false;
    if (upgrade !== undefined && upgradeKey(finding) !== upgrade) return false;
    return [found.Name, vulnerability.Name, ...vulnerability.Aliases].some((name) => name.toLowerCase().includes(text));
  });
}

/** The findings in an order; those that are equal in it are in that of risk. */
async function orderedFindings(
  findings: readonly PagedFinding[],
  order: WantedFindings["order"] = "-risk",
): Promise<readonly PagedFinding[]> {
  const { column, direction } = readOrder(order);
  if (column === "risk") return direction === "desc" ? findings : findings.toReversed();
  const way = direction === "asc" ? 1 : -1;
  const value = valueBy[column] ?? valueBy.severity;
  return sortedInSlices(findings, (one, other) => way * compareValues(value(one), value(other)));
}

type Value = (finding: PagedFinding) => string | number;

const valueBy: Readonly<Partial<Record<string, Value>> & { severity: Value }> = {
  severity: (finding) => severities.indexOf(severityOf(finding)),
  name: ({ vulnerability }) => vulnerability.Name,
  score: ({ vulnerability }) => Number(vulnerability.Metadata.NVD.CVSSv3.Score || -1),
  package: ({ package: { Name } }) => Name,
};

/** Names the package that is upgraded, its version, and the version after it, which is empty if no fix is known. */
function upgradeKey({
  package: { Name, Version, Source, UpgradeTo },
  vulnerability: { FixedBy },
}: PagedFinding): string {
  return JSON.stringify([Source?.Name ?? Name, Source?.Version ?? Version, FixedBy && (UpgradeTo ?? FixedBy)]);
}

/**
 * Groups findings by the upgrades that remove them: one upgrade for all fixable findings of a package. The upgrade that removes the
 * greatest risk comes first: most exploited findings, then most findings of the worst severity. Findings without a fix come last.
 * @param findings the greatest risk first
 */
export function groupByUpgrade(findings: readonly PagedFinding[]): readonly Static<typeof Upgrade>[] {
  const upgrades = [...Map.groupBy(findings, upgradeKey)].map(([key, found]) => {
    const [name = "", version = "", to = ""] = JSON.parse(key) as readonly string[];
    return { key, package: name, version, to, removes: countsOf(found) };
  });
  return upgrades.sort((one, other) => Number(one.to === "") - Number(other.to === "") || byRisk(one, other));
}

const risks = ["known_exploited", "critical", "high", "medium", "low", "negligible", "unknown"] as const;

function byRisk({ removes: ours }: Static<typeof Upgrade>, { removes: theirs }: Static<typeof Upgrade>): number {
  const first = risks.find((each) => ours[each] !== theirs[each]);
  return first === undefined ? 0 : theirs[first] - ours[first];
}
