import { raisedDebianSeverity } from "@plimsoll/core/internal";
import type { ImageSecurity } from "./image-security.ts";
import type { Feature, SecurityReport } from "./security-report.ts";

/** A report of an image with the severities of the reference implementation: those of Debian are one level up. */
export function withRaisedSeverities(security: ImageSecurity): ImageSecurity {
  return security.data === null ? security : { ...security, data: raised(security.data) };
}

/** Once for each report, since the same report is returned as long as nothing has changed. */
const known = new WeakMap<SecurityReport, SecurityReport>();

function raised(report: SecurityReport): SecurityReport {
  const found = known.get(report);
  if (found !== undefined) return found;
  const made = { ...report, Layer: { ...report.Layer, Features: report.Layer.Features.map(raiseFeature) } };
  known.set(report, made);
  return made;
}

function raiseFeature(feature: Feature): Feature {
  const { Vulnerabilities } = feature;
  if (Vulnerabilities?.some(isOfDebian) !== true) return feature;
  return { ...feature, Vulnerabilities: Vulnerabilities.map(raiseVulnerability) };
}

type Vulnerability = NonNullable<Feature["Vulnerabilities"]>[number];

function isOfDebian({ Metadata }: Vulnerability): boolean {
  return Metadata.UpdatedBy === "debian";
}

function raiseVulnerability(vulnerability: Vulnerability): Vulnerability {
  if (!isOfDebian(vulnerability)) return vulnerability;
  return { ...vulnerability, Severity: raisedDebianSeverity(vulnerability.Severity) };
}
