/**
 * How the vendor tags of distributions begin, in lower case. `oracle america` builds Oracle Linux, while plain `oracle`
 * also sells databases; that is why some names are longer than seems needed.
 */
const distributionVendors = [
  "alibaba cloud", // Alibaba Cloud Linux
  "almalinux",
  "alt linux team",
  "amazon linux",
  "amazon.com", // Amazon Linux 1
  "anolis community",
  "broadcom", // Photon OS
  "centos",
  "cloudlinux",
  "cybertrust japan", // MIRACLE LINUX
  "eurolinux",
  "fedora project",
  "http://openeuler.org",
  "https://www.openeuler.org",
  "kylin",
  "mageia",
  "microsoft", // CBL-Mariner, Azure Linux
  "openanolis",
  "opencloudos",
  "openeuler",
  "openmandriva",
  "opensuse",
  "oracle america", // Oracle Linux
  "photon",
  "red hat",
  "red soft", // RED OS
  "rocky",
  "scientific linux",
  "suse",
  "tencentos",
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
