/** Counts of vulnerabilities by severity. */
export const severities = {
  title: "Vulnerabilities",
  counts: (counts: string) => `Vulnerabilities: ${counts}`,
  none: "none known",
  noneButPartial: "none known, not all assessed",
  notAssessed: "not assessed",
  partial: "not all was assessed",
  mayHaveMore: "or more",
} as const;

/** `1 High, 2 Low` */
function textOf(counts: readonly (readonly [severity: string, count: number])[]): string {
  return counts.map(([severity, count]) => `${count} ${severity}`).join(", ");
}

/** What a scan found in an image. */
export const findings = {
  summary: ({ exploited, fixable, others }: Record<"exploited" | "fixable" | "others", number>) =>
    `${exploited > 0 ? `${exploited} known to be exploited; ` : ""}${fixable} ${fixable === 1 ? "finding has" : "findings have"} a fix, ${others} ${others === 1 ? "has" : "have"} none`,
  ofVulnerabilities: (findings: number, counts: readonly (readonly [severity: string, count: number])[]) => {
    const count = counts.reduce((sum, [, each]) => sum + each, 0);
    return `${findings} ${findings === 1 ? "finding" : "findings"} of ${count} ${count === 1 ? "vulnerability" : "vulnerabilities"}: ${textOf(counts)}`;
  },
  none: "The assessed packages have no known vulnerability.",
  noneLike: "No finding matches the filters.",
  notAssessed: (count: number) => `${count} ${count === 1 ? "part was" : "parts were"} not assessed`,
  coverage: "Coverage",
  complete: "Everything that was found was assessed.",
  showProblems: "Show what was not assessed",
  advisoriesFrom: "Advisories were last checked",
  columns: {
    severity: "Severity",
    risk: "Exploits (EPSS)",
    score: "CVSS",
    id: "Vulnerability",
    package: "Package",
    installed: "Installed",
    fixed: "Fixed in",
    layer: "Layer",
  },
  exploited: "exploited",
  isExploited: "Known to be exploited",
  epss: (percent: string) => `${percent}\u00a0%`,
  epssMeaning: (percent: string) => `An exploit within 30 days has a probability of ${percent} % (EPSS)`,
  filter: "Filter by id or package",
  filterPackages: "Filter by package",
  onlyFixed: "With a fix",
  onlyExploited: "Exploited",
  byUpgrade: "Group by upgrade",
  upgrade: ({ name, from, to }: Record<"name" | "from" | "to", string>) => `Upgrade ${name} from ${from} to ${to}`,
  noUpgrade: (name: string, version: string) => `${name} ${version}: no fix is known`,
  removes: (count: number) => `removes ${count} ${count === 1 ? "finding" : "findings"}`,
  severities: textOf,
  noFix: "none",
  suppressed: (count: number) => `${count} ${count === 1 ? "finding is" : "findings are"} suppressed`,
  suppressedColumns: {
    id: "Vulnerability",
    package: "Package",
    why: "Why",
    author: "By",
    source: "Stated in",
    until: "Until",
  },
  byRule: "a rule of the registry",
  aliases: "Also called",
  links: "Links",
  vector: "CVSS",
  reportedBy: "Reported by",
  noDescription: "The feed gives no description.",
  why: "Why",
  evidence: ({ name, version, path }: Record<"name" | "version" | "path", string>) =>
    `${name} ${version} is listed in ${path}`,
  inLayer: "added by the layer",
  builtFrom: (name: string, version: string) => `It was built from ${name} ${version}.`,
  use: {
    title: "Use",
    neededBy: "Needed by",
    /** Around each further package: `A, which B needs`. */
    further: [", which ", " needs"],
    noEvidence: "No evidence of use",
    noEvidenceMeaning:
      "Nothing in the image is known to need the package, and what the image starts does not lead to it. It may be used all the same: this does not mean that it is not vulnerable.",
  },
  rule: "Matching rule",
  range: (name: string, from: string | undefined, before: string | undefined) =>
    `${name}: all versions${from === undefined ? "" : ` from ${from}`}${before === undefined ? "" : ` below ${before}`}`,
  published: "Published",
  ratings: "Severity by source",
  rating: (severity: string, score: number | undefined) => (score === undefined ? severity : `${severity} (${score})`),
  noPackages: "No package was found.",
  packageColumns: { name: "Package", version: "Version", findings: "Findings", layer: "Layer" },
} as const;

/** Rules that suppress findings. */
export const ignoreRules = {
  title: "Suppressed vulnerabilities",
  about:
    "A rule removes a vulnerability from findings, counts, notifications and pull gates for a limited time. Suppressed findings stay listed.",
  none: "No vulnerability is suppressed here. Open a finding of an image to suppress it.",
  noneOfOrganization: "No vulnerability is suppressed in all images of the organization.",
  columns: {
    vulnerability: "Vulnerability",
    about: "In",
    reason: "Reason",
    author: "By",
    expires: "Ends",
    used: "Last used",
    actions: "Actions",
  },
  everyPackage: "all packages",
  expired: "ended",
  unused: "never",
  remove: "Remove rule",
  removed: (vulnerability: string) => `${vulnerability} will be a finding again.`,
  suppress: "Suppress",
  suppressChosen: "Suppress chosen vulnerabilities",
  vulnerability: "Vulnerability",
  purl: "Package URL (optional)",
  purlRule: "pkg:deb/debian/zlib1g, without a version; empty: all packages",
  reason: "Reason",
  expires: "Until the end of",
  package: "In which packages",
  packages: (name: string) => ({ package: `${name} only`, all: "All packages" }),
  image: "In which images",
  images: { all: "All images of the repository", image: "This image only" },
  add: "Suppress vulnerability",
  added: "The vulnerability is suppressed. The counts of tags are updated within minutes.",
} as const;

/** Vulnerabilities of a namespace's images, now and over time. */
export const fleet = {
  parts: { found: "Found", suppressed: "Suppressed" },
  title: "Vulnerabilities now",
  images: (images: number, uncounted: number, partial: number) =>
    `${images} ${images === 1 ? "image" : "images"} under tags; ${uncounted} not assessed, ${partial} assessed in part.`,
  none: "There is no tagged image here.",
  worst: "The worst images",
  upgrades: {
    title: "The upgrades that remove the most",
    none: "No upgrade with a known version removes a critical or high vulnerability.",
    columns: {
      package: "Package",
      versions: "Upgrade",
      critical: "Critical",
      high: "High",
      exploited: "Exploited",
      images: "Images",
      repositories: "Repositories",
    },
    versions: (from: string, to: string) => `${from} → ${to}`,
  },
  columns: {
    image: "Image",
    tags: "Tags",
    severities: "Vulnerabilities",
    fixable: "With a fix",
    exploited: "Exploited",
  },
  news: "New vulnerabilities since yesterday",
  noNews: "No vulnerability was found in your images since yesterday.",
  newsColumns: { image: "Image", found: "Found", count: "New", first: "Worst" },
  trend: "Vulnerabilities by day",
  noTrend: "There are no counts yet. The first are recorded within an hour after an image was scanned.",
  trendLabel: (first: string, last: string, most: string) =>
    `Vulnerabilities by severity on each day from ${first} to ${last}; at most ${most}. The table below has the figures.`,
  figures: "The figures as a table",
  day: "Day",
  notAssessed: "Not assessed",
  days: "Days",
  ages: {
    title: "How long vulnerabilities have been known",
    about: "Since they were found in the image; what its first scan found, since it was pushed.",
    age: "Known for",
    under: (days: number | null) => (days === null ? "longer" : `less than ${days} days`),
  },
  usage: {
    title: "Storage and pulls",
    about: "How large the repositories are; what several repositories have in common counts for each of them.",
    storage: (now: string) => `Stored now: ${now}`,
    storageLabel: (first: string, last: string) =>
      `Stored bytes on each day from ${first} to ${last}. The table below has the figures.`,
    pulls: (count: string, days: number) => `Pulls on ${days} ${days === 1 ? "day" : "days"} that are over: ${count}`,
    pullsLabel: (first: string, last: string) =>
      `Pulls on each day from ${first} to ${last}. The table below has the figures.`,
    noPulls: "Pulls are counted when a day is over.",
    largest: "The largest repositories",
    none: "There is no repository here.",
    columns: { size: "Size", pulls: "Pulls", repository: "Repository", change: "Change" },
  },
} as const;

/** Texts of only the HTML report. */
export const report = {
  search: "Search id, package, path …",
  reset: "Reset",
  remedy: "What to do",
  evidence: "Evidence",
} as const;
