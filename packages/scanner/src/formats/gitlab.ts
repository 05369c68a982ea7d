/**
 * Reports of GitLab's container scanning.
 *
 * @see https://gitlab.com/gitlab-org/security-products/security-report-schemas/-/blob/v15.2.1/dist/container-scanning-report-format.json
 */
import type { Vulnerability } from "@plimsoll/core";
import type { Severity } from "@plimsoll/core/severity";
import { contentUuid } from "./content-uuid.ts";
import { countOf, coverageSentences } from "./coverage-sentences.ts";
import { remedyText, titleText, webLinks } from "./finding-texts.ts";
import { cvssRatings, type ImageFinding, listImageFindings, weaknessesOf } from "./image-findings.ts";
import { type FindingsStamp, type MatchedImage, type ReportedImage, toolName, toolPage } from "./reported-image.ts";

/** GitLab's names of severities. */
const severityWords: Readonly<Record<Severity, string>> = {
  Unknown: "Unknown",
  Negligible: "Info",
  Low: "Low",
  Medium: "Medium",
  High: "High",
  Critical: "Critical",
};

const [maxNameLength, maxDescriptionLength, maxSolutionLength] = [255, 1_048_576, 7000];

/**
 * Formats the findings of an image as GitLab's container scanning report, version 15.2.1, which a job stores as
 * `gl-container-scanning-report.json`. The messages of the scan, which GitLab shows with the job, include what was not assessed.
 *
 * @example
 * declare const report: ScanReport;
 * JSON.stringify(toGitLab(report, { toolVersion: "1.0.0", createdAt: Date.now() }));
 */
export function toGitLab(image: MatchedImage, stamp: FindingsStamp): object {
  const { shown, hidden } = listImageFindings(image, stamp);
  const time = new Date(stamp.createdAt).toISOString().slice(0, 19); // the schema requires a time without a zone
  const tool = {
    id: toolName,
    name: "Plimsoll",
    url: toolPage,
    version: stamp.toolVersion,
    vendor: { name: "Plimsoll" },
  };
  const messages = [
    ...coverageSentences(image, stamp.createdAt).map((value) => ({ level: "warn", value: value.toWellFormed() })),
    ...(hidden === 0 ? [] : [{ level: "info", value: `${countOf(hidden, "more finding")} not shown.` }]),
  ];
  return {
    version: "15.2.1",
    scan: {
      analyzer: tool,
      scanner: tool,
      type: "container_scanning",
      status: "success",
      start_time: time,
      end_time: time,
      messages,
    },
    vulnerabilities: shown.map((finding) => vulnerabilityOf(finding, image)),
  };
}

function vulnerabilityOf(finding: ImageFinding, image: MatchedImage): object {
  const { vulnerability, severity, component } = finding;
  const { description = "" } = vulnerability;
  const links = webLinks(vulnerability.links);
  const vectors = cvssVectorsOf(vulnerability);
  return {
    id: contentUuid([image.index.manifestDigest, vulnerability.id, component.package.id]),
    name: titleText(finding).slice(0, maxNameLength),
    description: description !== "" ? description.slice(0, maxDescriptionLength) : undefined,
    severity: severityWords[severity],
    solution: remedyText(finding).slice(0, maxSolutionLength),
    identifiers: identifiersOf(finding, links),
    links: links.length > 0 ? links.map((url) => ({ url })) : undefined,
    cvss_vectors: vectors.length > 0 ? vectors : undefined,
    location: locationOf(finding, image),
    details: detailsOf(finding),
  };
}

function locationOf({ component: { package: found, distribution } }: ImageFinding, image: MatchedImage): object {
  const [first] = Object.values(image.index.distributions);
  const system = distribution ?? first;
  return {
    dependency: { package: { name: found.name }, version: found.version },
    operating_system: system?.prettyName || system?.name || system?.did || "unknown",
    image: imageName(image),
  };
}

/** The name with a tag or a digest: GitLab rejects others. */
function imageName({ reference, index }: ReportedImage): string {
  const name = reference.toWellFormed();
  return isTagged(name) ? name : `${name.replaceAll(":", "-")}@${index.manifestDigest}`;
}

/** `name:tag`, `host:5000/name:tag`, `name@sha256:…` */
function isTagged(name: string): boolean {
  const parts = name.split(":");
  if (parts.some((part) => part === "")) return false;
  return parts.length === 2 || (parts.length === 3 && /^\d/.test(parts[1] ?? ""));
}

/** The types of identifiers that GitLab distinguishes. */
const identifierTypes = [
  [/^CVE-\d/, "cve"],
  [/^GHSA-/, "ghsa"],
  [/^RHSA-/, "rhsa"],
  [/^USN-/, "usn"],
  [/^ELSA-/, "elsa"],
] as const;

const maxIdentifiers = 20;

/** The names of the vulnerability, then its weaknesses. */
function identifiersOf({ vulnerability, cves }: ImageFinding, links: readonly string[]): readonly object[] {
  const { name, aliases } = vulnerability;
  const names = [...new Set([name, ...aliases])].filter((each) => each !== "");
  const named = names.slice(0, maxIdentifiers).map((value) => {
    const [, type = toolName] = identifierTypes.find(([pattern]) => pattern.test(value)) ?? [];
    const url = links.find((link) => link.includes(value)) ?? (value === name ? links[0] : undefined);
    return { type, name: value, value, url };
  });
  const weaknesses = weaknessesOf(cves).map((cwe) => {
    const value = cwe.slice("CWE-".length);
    return { type: "cwe", name: cwe, value, url: `https://cwe.mitre.org/data/definitions/${value}.html` };
  });
  return [...named, ...weaknesses].slice(0, maxIdentifiers);
}

function cvssVectorsOf(vulnerability: Vulnerability): readonly object[] {
  const ratings = cvssRatings(vulnerability).map(({ vector, source }) => ({ vendor: source || "unknown", vector }));
  return [...new Map(ratings.map((rating) => [JSON.stringify(rating), rating])).values()].slice(0, 10);
}

/** The places of the package and the likelihood of an exploit. */
function detailsOf({ component, risk }: ImageFinding): object {
  const text = (name: string, value: string) => ({ type: "text", name, value: value.toWellFormed() || "-" });
  const places = component.locations.map(({ path, layer }) =>
    layer === undefined ? path : `${path} in layer ${layer}`,
  );
  return {
    places: places.length > 0 ? text("Places", places.join("; ")) : undefined,
    purl: component.purl === undefined ? undefined : text("Package URL", component.purl),
    cpe: component.cpe === undefined ? undefined : text("CPE", component.cpe),
    epss: risk.epss && text("EPSS", String(risk.epss.probability)),
    exploited: text("Known to be exploited", risk.isExploited ? "yes" : "no"),
  };
}
