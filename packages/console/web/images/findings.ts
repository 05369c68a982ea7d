import type { getRepoManifestSecurity } from "../api/generated/secscan.ts";
import type { ResultOf } from "../api/operation.ts";

/** What a scan found in an image. */
export type Security = NonNullable<ResultOf<typeof getRepoManifestSecurity>["data"]>["Layer"];

type Feature = Security["Features"][number];
type Vulnerability = NonNullable<Feature["Vulnerabilities"]>[number];

/** Severities, the worst first. */
export const severities = ["Critical", "High", "Medium", "Low", "Negligible", "Unknown"] as const;

/** One of {@link severities}. */
export type Severity = (typeof severities)[number];

/** A vulnerability of one package of the image. */
export interface Finding {
  /** Of no other finding of the image. */
  readonly key: string;
  readonly severity: Severity;
  readonly vulnerability: Vulnerability;
  readonly packageName: string;
  readonly version: string;
  /** Empty where no fix is known. */
  readonly fixedIn: string;
  /** Of CVSS 3; 0 where no feed gives one. */
  readonly score: number;
  /** The digest of the layer that brought the package. */
  readonly layer: string;
}

/** The findings of an image, the most urgent first: by severity, CVSS, and whether there is a fix. */
export function findingsOf({ Features }: Pick<Security, "Features">): readonly Finding[] {
  return Features.flatMap(findingsOfFeature).sort(byUrgency);
}

function findingsOfFeature(feature: Feature): readonly Finding[] {
  const { Name: packageName, Version: version, AddedBy: layer, Vulnerabilities: vulnerabilities = [] } = feature;
  return vulnerabilities.map((vulnerability) => {
    const score = vulnerability.Metadata.NVD.CVSSv3.Score;
    return {
      ...{
        key: [packageName, version, layer, vulnerability.Name].join(" "),
        vulnerability,
        packageName,
        version,
        layer,
      },
      severity: severities.find((each) => each === vulnerability.Severity) ?? "Unknown",
      fixedIn: vulnerability.FixedBy,
      score: score === "" ? 0 : score,
    };
  });
}

function byUrgency(one: Finding, other: Finding): number {
  return (
    severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
    other.score - one.score ||
    Number(one.fixedIn === "") - Number(other.fixedIn === "") ||
    (one.key < other.key ? -1 : 1)
  );
}

/** What the visitor wants to see of the findings. */
export interface FindingFilter {
  /** A part of an id, an alias or the name of a package, in any case. */
  readonly text: string;
  /** Undefined: of every severity. */
  readonly severity: Severity | undefined;
  readonly onlyFixed: boolean;
}

/** The findings that a filter lets through, in their order. */
export function filterFindings(findings: readonly Finding[], filter: FindingFilter): readonly Finding[] {
  const { severity, onlyFixed } = filter;
  const text = filter.text.toLowerCase();
  return findings.filter((finding) => {
    if (severity !== undefined && finding.severity !== severity) return false;
    if (onlyFixed && finding.fixedIn === "") return false;
    const { packageName, vulnerability } = finding;
    return [packageName, vulnerability.Name, ...vulnerability.Aliases].some((name) =>
      name.toLowerCase().includes(text),
    );
  });
}

/** How many findings there are of each severity, without those that have none. */
export function countSeverities(findings: readonly Finding[]): readonly (readonly [Severity, number])[] {
  const counts = Map.groupBy(findings, ({ severity }) => severity);
  return severities.flatMap((severity) => {
    const count = counts.get(severity)?.length ?? 0;
    return count === 0 ? [] : [[severity, count] as const];
  });
}
