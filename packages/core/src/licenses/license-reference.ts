/**
 * The SPDX reference for a licence that is not on the SPDX list, by what a package calls it.
 * @see https://spdx.github.io/spdx-spec/v2.3/other-licensing-information-detected/
 * @example
 * licenseReference("Acme Public License, v2"); // "LicenseRef-Acme-Public-License-v2"
 */
export function licenseReference(text: string): string {
  const plain = text.normalize("NFKD").replace(/\+(?=$|[^\w+])/g, "-or-later");
  const name = plain.replace(/[^A-Za-z0-9.]+/g, "-").replace(/^-|-$/g, "");
  return `LicenseRef-${name.slice(0, 64) || "unnamed"}`;
}
