import { hashPath } from "../layer/path-hash.ts";

/** The digits of a hash of 53 bits. */
const hexDigits = 14;

/** A text that is an identifier by itself, unless it could be taken for one that ends with a hash. */
const identifier = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,62}[A-Za-z0-9])?$/;
const withHash = /-[0-9a-f]{14}$/;

/**
 * The SPDX reference for a licence that is not on the SPDX list, by what a package calls it. Two texts never have the same: where the name does not say all of the text, its
 * end is a hash of the text.
 * @param of what the text is about, if it is about one package only: the name of a file
 * @see https://spdx.github.io/spdx-spec/v2.3/other-licensing-information-detected/
 * @example
 * licenseReference("Acme-1.0"); // "LicenseRef-Acme-1.0"
 * licenseReference("Acme Public License, v2"); // "LicenseRef-Acme-Public-License-v2-16f6a0ce4f13cf"
 */
export function licenseReference(text: string, of = ""): string {
  const words = text.replace(/\s+/g, " ").trim();
  if (of === "" && identifier.test(words) && !withHash.test(words)) return `LicenseRef-${words}`;
  const plain = words.normalize("NFKD").replace(/(?<=\w)\+(?=$|[^\w+])/g, "-or-later");
  const name = plain
    .slice(0, 256)
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .slice(0, 49)
    .replace(/^-|-$/g, "");
  const hash = hashPath(of === "" ? words : `${words}\n${of}`);
  return `LicenseRef-${name || "unnamed"}-${hash.toString(16).padStart(hexDigits, "0")}`;
}
