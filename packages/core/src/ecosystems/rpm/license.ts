import { knownLicense, licenseNames } from "../../licenses/spdx.ts";
import { spdxExpression } from "../../licenses/spdx-expression.ts";

/**
 * The short names of licences that Fedora used before SPDX identifiers, and that packages of RHEL 9 and older have. Only names that stand for one licence: `BSD`, `MIT`
 * and `ASL 1.x` of old packages mean several, so that `MIT` alone is read as the SPDX identifier that it is today.
 * @see https://fedoraproject.org/wiki/Licensing:Main?rd=Licensing#Good_Licenses
 * @see https://docs.fedoraproject.org/en-US/legal/update-existing-packages/
 */
const shortNames: ReadonlyMap<string, string> = new Map([
  ["AGPLv3", "AGPL-3.0-only"],
  ["AGPLv3+", "AGPL-3.0-or-later"],
  ["ASL 2.0", "Apache-2.0"],
  ["Artistic 2.0", "Artistic-2.0"],
  ["Boost", "BSL-1.0"],
  ["CC0", "CC0-1.0"],
  ["CC-BY", "CC-BY-3.0"],
  ["CC-BY-SA", "CC-BY-SA-3.0"],
  ["CDDL", "CDDL-1.0"],
  ["EPL", "EPL-1.0"],
  ["FTL", "FTL"],
  ["GPL+", "GPL-1.0-or-later"],
  ["GPLv1", "GPL-1.0-only"],
  ["GPLv2", "GPL-2.0-only"],
  ["GPLv2+", "GPL-2.0-or-later"],
  ["GPLv3", "GPL-3.0-only"],
  ["GPLv3+", "GPL-3.0-or-later"],
  ["ISC", "ISC"],
  ["LGPLv2", "LGPL-2.0-only"],
  ["LGPLv2+", "LGPL-2.0-or-later"],
  ["LGPLv2.1", "LGPL-2.1-only"],
  ["LGPLv2.1+", "LGPL-2.1-or-later"],
  ["LGPLv3", "LGPL-3.0-only"],
  ["LGPLv3+", "LGPL-3.0-or-later"],
  ["MPLv1.1", "MPL-1.1"],
  ["MPLv2.0", "MPL-2.0"],
  ["OpenLDAP", "OLDAP-2.8"],
  ["OpenSSL", "OpenSSL"],
  ["Python", "Python-2.0.1"],
  ["Sleepycat", "Sleepycat"],
  ["Unlicense", "Unlicense"],
  ["Vim", "Vim"],
  ["zlib", "Zlib"],
]);

/** Names that stood for several licences. */
const ambiguous: ReadonlySet<string> = new Set([
  "BSD",
  "MIT",
  "Public Domain",
  "Copyright only",
  "Freely redistributable without restriction",
]);

/** The SPDX expression of a licence in the old short names; undefined for other text, which may be an SPDX expression itself. */
export function expressionOf(license: string): string | undefined {
  if (spdxExpression(license) !== undefined) return undefined;
  return licenseNames(
    license,
    (name) => shortNames.get(name) ?? (ambiguous.has(name) ? undefined : knownLicense(name)),
  );
}
