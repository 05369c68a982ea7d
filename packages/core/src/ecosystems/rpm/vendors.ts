import { allDistributions } from "../../distributions/all.ts";

const distributionVendors = allDistributions.flatMap(({ vendorTags = [] }) => vendorTags);

/** The vendor of a package when it is recognizably not a distribution; undefined when it is one or is not named. */
export function findThirdParty(vendor: string | undefined): string | undefined {
  const lower = vendor?.trim().toLowerCase() ?? "";
  return lower === "" || distributionVendors.some((known) => beginsWithWords(lower, known)) ? undefined : vendor;
}

function beginsWithWords(text: string, words: string): boolean {
  return text.startsWith(words) && !/^[a-z0-9]/.test(text.slice(words.length));
}
