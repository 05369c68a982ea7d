import { allDistributions } from "../../distributions/all.ts";

const distributionVendors = allDistributions.flatMap(({ vendorTags = [] }) => vendorTags);

/** The vendor of a package if it is not a known distribution; undefined if it is one, or if the package names no vendor. */
export function findThirdParty(vendor: string | undefined): string | undefined {
  const lower = vendor?.trim().toLowerCase() ?? "";
  return lower === "" || distributionVendors.some((known) => beginsWithWords(lower, known)) ? undefined : vendor;
}

function beginsWithWords(text: string, words: string): boolean {
  return text.startsWith(words) && !/^[a-z0-9]/.test(text.slice(words.length));
}
