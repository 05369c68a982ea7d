/**
 * The vulnerability groups of Arch Linux.
 *
 * ```
 * [{ name: "AVG-20", packages: [name], status, severity, type, affected: version, fixed: version | null, issues: [CVE], advisories: [ASA] }]
 * status = "Vulnerable" | "Fixed" | "Testing" | "Not affected" | "Unknown"
 * ```
 * `affected` is the version in which the problem was seen, not the first affected one. `Testing`: the fix is not in the stable
 * repositories yet.
 *
 * @see https://security.archlinux.org
 */
import type { Advisory } from "../../model/advisory.ts";
import {
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";

const site = "https://security.archlinux.org";

/** The advisories of one group: one for each of its packages and vulnerabilities. @throws ScanError `malformed_feed` */
export function groupAdvisories(place: JsonPlace): readonly Advisory[] {
  const group = stringAt(memberAt(place, "name"));
  const packages = optionalItemsAt(memberAt(place, "packages")).map(stringAt);
  const issues = optionalItemsAt(memberAt(place, "issues")).map(stringAt);
  const advisories = optionalItemsAt(memberAt(place, "advisories")).map(stringAt);
  const severity = optionalStringAt(memberAt(place, "severity"));
  const description = optionalStringAt(memberAt(place, "type"));
  const judged = judgement(place);
  const names = issues.length === 0 ? [group] : issues;
  return packages.flatMap((packageName) =>
    names.map((name) => ({
      id: ["arch", group, name, packageName].join("/"),
      updater: "arch",
      name,
      aliases: [],
      ecosystem: "arch",
      packageName,
      packageKind: "BINARY",
      ...judged,
      versions: [],
      links: [...new Set([name, group, ...advisories])].map((id) => `${site}/${id}`),
      normalizedSeverity: normalizeSeverity("arch", severity),
      severity,
      description,
    })),
  );
}

function judgement(place: JsonPlace): Pick<Advisory, "status" | "ranges"> {
  const status = memberAt(place, "status");
  const fixed = optionalStringAt(memberAt(place, "fixed"));
  switch (stringAt(status)) {
    case "Fixed":
    case "Testing":
    case "Vulnerable":
      return { status: "affected", ranges: [fixed === undefined ? {} : { fixed }] };
    case "Not affected":
      return { status: "not-affected", ranges: [{}] };
    case "Unknown":
      return { status: "undetermined", ranges: [{}] };
    default:
      throw unexpected(status, "one of Vulnerable, Fixed, Testing, Not affected, Unknown");
  }
}
