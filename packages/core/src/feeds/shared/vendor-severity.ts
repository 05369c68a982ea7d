import { findSeverity, type Severity } from "../../model/severity.ts";

/** The words with which a vendor rates vulnerabilities. */
export interface VendorScale {
  /** Where the vendor, or its feed, explains them. */
  readonly source: string;
  /** What each word means, in lower case, unless it has the name of a normalized severity. */
  readonly words: Readonly<Record<string, Severity>>;
}

/** Red Hat's four levels, which its rebuilds and other distributions of rpm have too. */
const redhatWords: VendorScale["words"] = { moderate: "Medium", important: "High" };

/**
 * The scales of vendors, by the names of their feeds. A word that is neither here nor a normalized severity, such as `None`, `N/A`, `unspecified` or Debian's
 * "not yet assigned", is no rating: the severity is `Unknown`, and others rate the vulnerability. Not here are feeds that state no severity (Alpine, Wolfi and Chainguard,
 * FriendsOfPHP) or only CVSS scores (`photon-cve`, `nodejs`, `rubysec`, NVD).
 */
export const vendorScales: ReadonlyMap<string, VendorScale> = new Map<string, VendorScale>([
  ["alma", { source: "https://errata.almalinux.org/", words: redhatWords }],
  ["amazon", { source: "https://alas.aws.amazon.com/faqs.html", words: redhatWords }],
  ["arch", { source: "https://wiki.archlinux.org/title/Arch_Security_Team", words: {} }],
  ["azurelinux", { source: "https://github.com/microsoft/AzureLinuxVulnerabilityData", words: redhatWords }],
  [
    "bottlerocket",
    { source: "https://github.com/bottlerocket-os/bottlerocket/security/advisories", words: redhatWords },
  ],
  [
    "debian", // unimportant: no security problem in Debian's package
    {
      source: "https://security-team.debian.org/security_tracker.html#severity-levels",
      words: { unimportant: "Negligible" },
    },
  ],
  ["fedora", { source: "https://fedora-infra.github.io/bodhi/", words: { ...redhatWords, urgent: "Critical" } }],
  ["oracle", { source: "https://linux.oracle.com/security/", words: redhatWords }],
  [
    "osv", // the words of databases that OSV collects: GitHub's, those of distributions, and of malicious packages
    {
      source:
        "https://docs.github.com/en/code-security/security-advisories/working-with-global-security-advisories-from-the-github-advisory-database/about-the-github-advisory-database#about-cvss-levels",
      words: { ...redhatWords, malicious: "Critical", none: "Negligible" },
    },
  ],
  ["photon", { source: "https://github.com/vmware/photon/wiki/Security-Advisories", words: redhatWords }],
  ["redhat", { source: "https://access.redhat.com/security/updates/classification/", words: redhatWords }],
  ["rocky", { source: "https://errata.rockylinux.org/", words: redhatWords }],
  ["suse", { source: "https://www.suse.com/support/security/rating/", words: redhatWords }],
  ["ubuntu", { source: "https://ubuntu.com/security/cves/about#priority", words: {} }],
]);

/**
 * The normalized severity of a vendor's word, ignoring case; `Unknown` for a word that is no rating.
 * @param feed the name of the vendor's feed; one that is not in {@link vendorScales}, such as a plug-in's, has Red Hat's words
 */
export function normalizeSeverity(feed: string, word: string | undefined): Severity {
  if (word === undefined) return "Unknown";
  const words = vendorScales.get(feed)?.words ?? redhatWords;
  const lower = word.toLowerCase();
  return findSeverity(lower) ?? (Object.hasOwn(words, lower) ? words[lower] : undefined) ?? "Unknown";
}
