import { allDistributions } from "../../distributions/all.ts";
import { findDistribution } from "../../distributions/shared/find.ts";
import type { Release } from "../../distributions/shared/known-distribution.ts";

const allVendors = allDistributions.flatMap(({ vendorTags = [] }) => vendorTags);

/**
 * The vendor of a package if the distribution of the image did not make it; undefined if it did, or if the package names no vendor. The vendor of another
 * distribution is a third party, too: EPEL's packages (`Fedora Project`) in an image of Rocky Linux have no advisories of Rocky Linux. Of a distribution
 * whose vendors are not known, and without one, only a vendor that is no distribution at all is a third party.
 */
export function findThirdParty(
  vendor: string | undefined,
  distribution: Pick<Release, "did"> | undefined,
): string | undefined {
  const lower = vendor?.trim().toLowerCase() ?? "";
  const own = findDistribution(distribution?.did)?.vendorTags ?? allVendors;
  return lower === "" || own.some((known) => beginsWithWords(lower, known)) ? undefined : vendor;
}

function beginsWithWords(text: string, words: string): boolean {
  return text.startsWith(words) && !/^[a-z0-9]/.test(text.slice(words.length));
}
