import type { ImageFinding } from "./image-findings.ts";

/** `libssl3 3.0.11-1~deb12u1` */
export function packageText({ package: { name, version } }: ImageFinding): string {
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
