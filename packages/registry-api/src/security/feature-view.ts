import { cvssScores, parseCvss } from "@plimsoll/core/cvss";
import { aliasesEnrichment, cvssType, type StatedSbomPackage } from "@plimsoll/core/internal";
import type { VulnerabilityReportJson } from "@plimsoll/core/report";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { ReportEvidence } from "./evidence-view.ts";
import type { Feature } from "./security-report.ts";

type VulnerabilityJson = VulnerabilityReportJson["vulnerabilities"][string];

/** A package that only an SBOM lists and that was not matched. It has no layer, and no list of vulnerabilities, since an empty one would be wrong. */
export function unmatchedFeature({
  package: { name: Name, version: Version },
  purl,
  document: Sbom,
}: StatedSbomPackage): Feature {
  return { Name, VersionFormat: "", NamespaceName: "", AddedBy: "", Version, Purl: purl || undefined, Sbom };
}

interface ShownReport {
  readonly report: VulnerabilityReportJson;
  readonly evidence: ReportEvidence;
}

interface ShownImage extends ShownReport {
  readonly sboms: ReadonlySet<string>;
}

/** A package of a report, with its vulnerabilities. */
export function featureOf({ report, evidence, sboms }: ShownImage, packageId: string): Feature {
  const { name = "", version = "" } = report.packages[packageId] ?? {};
  const [environment] = report.environments[packageId] ?? [];
  const origin = environment?.introduced_in ?? "";
  const isStated = sboms.has(origin);
  const ids = report.package_vulnerabilities[packageId] ?? [];
  const aliases = aliasesOf(report);
  const found = ids.flatMap((id) => report.vulnerabilities[id] ?? []);
  const vulnerabilities = found.map((vulnerability) => ({ vulnerability, aliases: aliases[vulnerability.id] ?? [] }));
  const names = vulnerabilities.flatMap((each) => [each.vulnerability.name, ...each.aliases]);
  const scores = found.flatMap((vulnerability) => cvssOf(report, vulnerability)?.base ?? []);
  return {
    Name: name,
    VersionFormat: "",
    NamespaceName: "",
    AddedBy: isStated ? "" : origin,
    Version: version,
    ...evidence.ofPackage(packageId),
    Sbom: isStated ? origin : undefined,
    BaseScores: [...new Set(scores)],
    CVEIds: [...new Set(names.flatMap((each) => each.match(/CVE-\d+-\d+/g) ?? []))].sort(),
    Vulnerabilities: vulnerabilities.map((each) => vulnerabilityView({ report, evidence }, each)),
  };
}

/** Aliases by the id of a vulnerability in the report. */
function aliasesOf({ enrichments }: VulnerabilityReportJson): Readonly<Record<string, readonly string[]>> {
  const [aliases = {}] = enrichments[aliasesEnrichment] ?? [];
  return aliases as Readonly<Record<string, readonly string[]>>;
}

interface NamedVulnerability {
  readonly vulnerability: VulnerabilityJson;
  readonly aliases: readonly string[];
}

function vulnerabilityView({ report, evidence }: ShownReport, { vulnerability, aliases }: NamedVulnerability) {
  const { name, normalized_severity, links = "", fixed_in_version = "", description = "" } = vulnerability;
  const { updater = "", repository, distribution } = vulnerability;
  const cvss = cvssOf(report, vulnerability);
  return {
    Severity: normalized_severity,
    NamespaceName: "",
    Link: links,
    FixedBy: fixed_in_version,
    Description: description,
    Name: name,
    Aliases: [...aliases],
    ...evidence.ofVulnerability(vulnerability.id),
    Metadata: {
      UpdatedBy: updater,
      RepoName: repository?.name ?? "",
      RepoLink: repository?.uri ?? "",
      DistroName: distribution?.name ?? "",
      DistroVersion: distribution?.version ?? "",
      NVD: { CVSSv3: { Vectors: cvss?.vector ?? "", Score: cvss?.base ?? ("" as const) } },
    },
  };
}

/** A vector of CVSS 3 and its base score. */
interface CvssScore {
  readonly vector: string;
  readonly base: number;
}

/** The score of the National Vulnerability Database, else that of a feed whose severity is a vector. */
function cvssOf(
  { enrichments }: VulnerabilityReportJson,
  { id, severity = "" }: VulnerabilityJson,
): CvssScore | undefined {
  const [byId = {}] = enrichments[cvssType] ?? [];
  const records = (byId as Readonly<Record<string, unknown>>)[id];
  const scored = CvssRecords.Check(records) ? records.find(({ version }) => version.startsWith("3.")) : undefined;
  if (scored !== undefined) return { vector: scored.vectorString, base: scored.baseScore };
  const vector = /CVSS:3[^\s,]*/.exec(severity)?.[0];
  if (vector === undefined) return undefined;
  try {
    return { vector, base: cvssScores(parseCvss(vector)).base };
  } catch {
    return undefined;
  }
}

/** The scores of one vulnerability. */
const CvssRecords = Compile(
  Type.Array(Type.Object({ version: Type.String(), vectorString: Type.String(), baseScore: Type.Number() })),
);
