import { parseMaintainer, placesOf, vendorOfMaintainer, vendorOfVersion } from "../linux/vendors.ts";
import type { DpkgPackage } from "./status.ts";

/** Domains of the distributions' own maintainers, whatever their names begin with. */
const distributionDomains: ReadonlySet<string> = new Set(["debian.org", "debian.net", "ubuntu.com", "canonical.com"]);

/**
 * The maker of a package that is known not to be the distribution's; undefined for all others. The distribution's
 * advisories are not about such packages. The maker may be another distribution (`Kali Linux`), see `thirdPartyIn`. Fields that Debian does not have, and an address that no mail reaches, are those of packaging
 * tools (fpm, nfpm): then the maker is as the package says.
 * @see https://www.debian.org/doc/debian-policy/ch-controlfields.html#the-main-section-of-debian-control-files
 * @example
 * findThirdParty({ maintainer: "NodeSource <nodesource@example.com>", version: "22.1.0-1nodesource1" });
 */
export function findThirdParty(
  found: Pick<DpkgPackage, "maintainer" | "version" | "vendor" | "license" | "section">,
): string | undefined {
  const marked = vendorOfVersion(found.version);
  if (marked !== undefined) return marked;
  const { maker, address } = parseMaintainer(found.maintainer ?? "");
  const known = vendorOfMaintainer({ maker, address });
  if (isPackagedElsewhere(found, address)) return known ?? (found.vendor || maker || address || "unknown");
  return placesOf(address).some((place) => distributionDomains.has(place)) ? undefined : known;
}

/**
 * Whether a package says that Debian or Ubuntu made it: its maintainer has an address of theirs. Some maintainers of Debian have only addresses of their own, as
 * anyone has who makes packages, so that other packages are not known to be made by others.
 * @see https://www.debian.org/doc/debian-policy/ch-controlfields.html#maintainer
 */
export function namesDistribution({ maintainer = "" }: Pick<DpkgPackage, "maintainer">): boolean {
  return placesOf(parseMaintainer(maintainer).address).some((place) => distributionDomains.has(place));
}

/** Whether a package was made by a tool that distributions do not use. `default` is the section that fpm writes. */
function isPackagedElsewhere(
  { vendor, license, section }: Pick<DpkgPackage, "vendor" | "license" | "section">,
  address: string,
): boolean {
  const isUnreachable = address.includes("@") && !address.slice(address.indexOf("@")).includes(".");
  return vendor !== undefined || license !== undefined || section === "default" || isUnreachable;
}
