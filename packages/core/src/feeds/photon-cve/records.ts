/**
 * Photon OS's statements on vulnerabilities in its packages, in a document for each release.
 *
 * ```
 * [{ cve_id, pkg, cve_score: number | null, aff_ver, res_ver, status? }]
 * ```
 * `pkg` is a source package and `res_ver` its version with the fix: `1.5-3.ph2`, or `NA` where there is none. `aff_ver` is the same as
 * text. `status` is `Not Affected` where the package was never affected.
 *
 * @see https://packages.broadcom.com/photon/photon_cve_metadata/
 */
import type { Advisory } from "../../model/advisory.ts";
import {
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalStringAt,
  placeError,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import { type AdvisorySeverity, scoreSeverity, unknownSeverity } from "../shared/scored-severity.ts";

/** The advisory of one record. @param release `4.0`, if the name of the document contains it @throws ScanError `malformed_feed` */
export function photonAdvisory(place: JsonPlace, release: string | undefined): Advisory {
  const name = stringAt(memberAt(place, "cve_id"));
  const packageName = stringAt(memberAt(place, "pkg"));
  const fixed = fixedAt(memberAt(place, "res_ver"));
  const ecosystem = `photon:${release ?? releaseOf(fixed, place)}`;
  const isAffected = optionalStringAt(memberAt(place, "status")) !== "Not Affected";
  return {
    id: ["photon-cve", name, ecosystem, packageName, ...(fixed === undefined ? [] : [fixed])].join("/"),
    updater: "photon-cve",
    name,
    aliases: [],
    ecosystem,
    packageName,
    packageKind: "SOURCE",
    status: isAffected ? "affected" : "not-affected",
    ranges: [isAffected && fixed !== undefined ? { fixed } : {}],
    versions: [],
    links: [`https://nvd.nist.gov/vuln/detail/${name}`],
    ...severityAt(memberAt(place, "cve_score")),
  };
}

function fixedAt(place: JsonPlace): string | undefined {
  const text = optionalStringAt(place);
  return text === "NA" ? undefined : text;
}

function releaseOf(fixed: string | undefined, place: JsonPlace): string {
  const [, number] = /\.ph(\d+)$/.exec(fixed ?? "") ?? [];
  if (number !== undefined) return `${number}.0`;
  throw placeError(place, "expected a release in the name of the document or in the version with the fix, found none");
}

function severityAt(place: JsonPlace): AdvisorySeverity {
  const { value } = place;
  if (isAbsent(place) || value === "") return unknownSeverity;
  const severity = typeof value === "number" || typeof value === "string" ? scoreSeverity(value, "3.1") : undefined;
  if (severity === undefined) throw unexpected(place, "a CVSS score from 0 to 10");
  return severity;
}
