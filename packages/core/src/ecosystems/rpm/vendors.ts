/**
 * How the vendor tags of distributions begin, in lower case. Some are longer than seems needed: Oracle
 * America builds Oracle Linux, while other parts of Oracle ship MySQL.
 */
const distributionVendors = [
  "almalinux",
  "alt linux team",
  "amazon linux",
  "amazon.com", // Amazon Linux 1
  "broadcom", // Photon OS
  "centos",
  "cloudlinux",
  "eurolinux",
  "fedora project",
  "http://openeuler.org",
  "https://www.openeuler.org",
  "mageia",
  "microsoft corporation", // CBL-Mariner, Azure Linux
  "openanolis",
  "opencloudos",
  "openeuler",
  "openmandriva",
  "opensuse",
  "oracle america", // Oracle Linux
  "red hat",
  "rocky",
  "scientific linux",
  "suse",
  "virtuozzo",
  "vmware", // Photon OS
] as const;

/** The vendor of a package when it is recognizably not a distribution; undefined when it is one or is not named. */
export function findThirdParty(vendor: string | undefined): string | undefined {
  const lower = vendor?.trim().toLowerCase() ?? "";
  return lower === "" || distributionVendors.some((known) => beginsWithWords(lower, known)) ? undefined : vendor;
}

function beginsWithWords(text: string, words: string): boolean {
  return text.startsWith(words) && !/^[a-z0-9]/.test(text.slice(words.length));
}
