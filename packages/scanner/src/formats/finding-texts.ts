import type { Finding } from "../findings.ts";
import type { ImageFinding } from "./image-findings.ts";

/** `libssl3 3.0.11-1~deb12u1` */
export function packageText({ package: found }: ImageFinding): string {
  return nameAndVersion(found);
}

/** The packages by which that of a finding is needed: `sharp 0.32.6`, `prebuild-install 7.1.3`; empty if none is known. */
export function needersOf({ neededBy = [] }: Pick<Finding, "neededBy">): readonly string[] {
  return neededBy.map(nameAndVersion);
}

function nameAndVersion({ name, version }: Finding["package"]): string {
  return version === "" ? name : `${name} ${version}`;
}

/** A sentence with the remedy for a finding. */
export function remedyText({ package: { name }, fixedIn }: ImageFinding): string {
  return fixedIn === undefined
    ? `No fixed version of ${name} is known.`
    : `Update ${name} to version ${fixedIn} or later.`;
}

/** `CVE-2024-1 in openssl 3.0.11` */
export function titleText(finding: ImageFinding): string {
  return `${finding.id} in ${packageText(finding)}`;
}

/** `97.2%`; `<0.1%` for smaller ones. */
export function percentText(probability: number): string {
  return probability < 0.001 ? "<0.1%" : `${(probability * 100).toFixed(1)}%`;
}

/**
 * The distinct HTTP and HTTPS addresses among links of advisories, normalized; all others are omitted. Characters that browsers send
 * but RFC 3986 does not allow are percent-encoded, since schemas refuse them.
 */
export function webLinks(links: readonly string[]): readonly string[] {
  const found = links.flatMap((link) => {
    const url = URL.parse(link);
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" ? [encoded(url)] : [];
  });
  return [...new Set(found)];
}

/** Brackets are allowed in hosts alone. */
function encoded({ href }: URL): string {
  const path = href.indexOf("/", href.indexOf("//") + 2);
  return href.slice(0, path) + href.slice(path).replace(/[[\]\\^`{|}]|%(?![\da-f]{2})/gi, encodeURIComponent);
}
