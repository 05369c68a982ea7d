import {
  compareRisk,
  type Json,
  parseVulnerabilityReportJson,
  type Rating,
  recordPurl,
  risksOf,
  type Vulnerability,
  type VulnerabilityReport,
  type VulnerabilityReportJson,
} from "@plimsoll/core";
import { type Static, Type } from "typebox";

/** Members of a package beside those of the contract: where it was seen, and what it is called elsewhere. */
export const packageEvidence = {
  PackageDb: Type.Optional(Type.String({ description: "The path of the file that lists the package" })),
  Purl: Type.Optional(Type.String({ description: "Its package URL, which rules that suppress findings name" })),
  Source: Type.Optional(
    Type.Object(
      { Name: Type.String(), Version: Type.String() },
      { description: "The package that it was built from, where advisories speak of that" },
    ),
  ),
};

/** Members of a vulnerability beside those of the contract: how urgent it is, and why the package has it. */
export const vulnerabilityEvidence = {
  Rank: Type.Integer({ minimum: 0, description: "Its place among those of the image, 0 for the greatest risk" }),
  KnownExploited: Type.Boolean(),
  Epss: Type.Optional(
    Type.Object(
      {
        Probability: Type.Number({ minimum: 0, maximum: 1 }),
        Percentile: Type.Number({ minimum: 0, maximum: 1 }),
      },
      { description: "How likely an exploit is within 30 days; absent where it is not known" },
    ),
  ),
  Ratings: Type.Array(
    Type.Object({ Source: Type.String(), Severity: Type.String(), Score: Type.Optional(Type.Number()) }),
    { description: "How severe each source says that it is; the first counts" },
  ),
  Advisory: Type.Object(
    {
      Package: Type.String({ description: "The package that the advisory speaks of" }),
      From: Type.Optional(Type.String({ description: "The first affected version; absent: all from the first on" })),
      Before: Type.Optional(
        Type.String({ description: "The first version that is not affected; absent: none is known" }),
      ),
      Published: Type.Optional(Type.String({ format: "date-time" })),
    },
    { description: "The statement that the package was matched with" },
  ),
};

const PackageEvidence = Type.Object(packageEvidence);
const VulnerabilityEvidence = Type.Object(vulnerabilityEvidence);

/** What a report says beside the members of the contract. */
export interface ReportEvidence {
  /** Of a package by its id. */
  ofPackage(id: string): Static<typeof PackageEvidence>;
  /** Of a vulnerability by its id. */
  ofVulnerability(id: string): Static<typeof VulnerabilityEvidence>;
}

/** Reads how urgent the findings of a report are, and what they rest on. */
export function evidenceOf(json: VulnerabilityReportJson): ReportEvidence {
  const report = parseVulnerabilityReportJson(json as unknown as Json);
  const risks = risksOf(report);
  const ranked = [...risks].sort(([, one], [, other]) => compareRisk(one, other)).map(([id]) => id);
  const ranks = new Map(ranked.map((id, rank) => [id, rank]));
  return {
    ofPackage: (id) => evidenceOfPackage(report, id),
    ofVulnerability(id) {
      const vulnerability = report.vulnerabilities[id];
      const { isExploited: KnownExploited = false, epss } = risks.get(id) ?? {};
      return {
        Rank: ranks.get(id) ?? ranked.length,
        KnownExploited,
        ...(epss && { Epss: { Probability: epss.probability, Percentile: epss.percentile } }),
        Ratings: vulnerability === undefined ? [] : ratingsOf(vulnerability),
        Advisory: vulnerability === undefined ? { Package: "" } : advisoryOf(vulnerability),
      };
    },
  };
}

function evidenceOfPackage(report: VulnerabilityReport, id: string): Static<typeof PackageEvidence> {
  const found = report.packages[id];
  const [environment] = report.environments[id] ?? [];
  if (found === undefined) return {};
  const { source } = found;
  const distribution = report.distributions[environment?.distributionId ?? ""];
  const repositories = (environment?.repositoryIds ?? []).flatMap((each) => report.repositories[each] ?? []);
  const purl = recordPurl({ package: found, repositories, ...(distribution && { distribution }) });
  return {
    ...(environment && { PackageDb: environment.packageDb }),
    ...(purl !== undefined && { Purl: purl }),
    ...(source && { Source: { Name: source.name, Version: source.version } }),
  };
}

function ratingsOf({ ratings, updater, normalizedSeverity }: Vulnerability) {
  if (ratings === undefined) return [{ Source: updater, Severity: normalizedSeverity }];
  return ratings.map(({ source: Source, severity: Severity, score }: Rating) => ({
    ...{ Source, Severity },
    ...(score !== undefined && { Score: score }),
  }));
}

function advisoryOf({ package: { name: Package }, range, issuedAt }: Vulnerability) {
  return {
    Package,
    ...(range?.lower !== undefined && { From: range.lower }),
    ...(range?.upper !== undefined && { Before: range.upper }),
    ...(issuedAt !== undefined && { Published: new Date(issuedAt).toISOString() }),
  };
}
