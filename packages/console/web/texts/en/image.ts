/** Artifacts that refer to an image. */
export const artifacts = {
  title: "Artifacts",
  kind: "Kind",
  kinds: {
    signature: "Signature",
    attestation: "Attestation",
    sbom: "Bill of materials",
    vex: "VEX document",
    other: "Artifact",
  },
  type: "Type",
  digest: "Digest",
  pushed: "Pushed",
  none: "No artifact refers to this image: no signature, no bill of materials.",
};

/** The page of an image. */
export const image = {
  tabs: {
    vulnerabilities: "Vulnerabilities",
    packages: "Packages",
    licenses: "Licences",
    layers: "Layers",
    labels: "Labels",
    artifacts: "Artifacts",
    compare: "Compare",
    platforms: "Platforms",
  },
  platforms: "Platforms",
  choosePlatform: "This is a list of images. Choose one:",
  size: "Size",
  digest: "Digest",
  pushed: "Pushed",
  pushedBy: (account: string) => `by ${account}`,
  changed: "Changed",
  firstPushed: "First pushed",
  since: "Here since",
  layers: { step: "Step", digest: "Layer", size: "Size", empty: "changes no files" },
  labels: {
    title: "Labels",
    key: "Label",
    value: "Value",
    source: "From",
    sources: { manifest: "the image", api: "the API", internal: "the registry" },
    none: "The image has no label.",
  },
  queued: "The image waits to be scanned. This page shows the result when it is ready.",
  failed: (reason: string) => `The image could not be scanned: ${reason}`,
  unsupported: "This artifact cannot be scanned as an image.",
  tooLarge: "A layer of the image is too large to be scanned.",
  jobs: "See the jobs of the registry",
  off: "Scanning is turned off in this registry.",
} as const;

/** What differs between two images. */
export const comparison = {
  title: "Compare with",
  choose: "An earlier tag",
  compare: "Compare images",
  comparedWith: (tag: string) => `Compared with ${tag}`,
  chooseOther: "Choose another tag",
  nothingChosen: "Choose a tag to see what was added and removed since then.",
  noOther: "The repository has no other tag to compare with.",
  sameImage: "Its other tags are the same image.",
  sameDigest: "It is the same image.",
  platform: "Platform",
  compared: (before: string, after: string) => `From ${before} to ${after}`,
  findings: "Vulnerabilities",
  packages: "Packages",
  summary: (added: number, removed: number, unchanged: number) =>
    `${added} added, ${removed} removed, ${unchanged} unchanged.`,
  partial: "The images were assessed only in part: there may be more.",
  same: "The packages are the same.",
  sameFindings: "The vulnerabilities are the same.",
  licenses: "Licences",
  sameLicenses: "The licences of packages that both have are the same.",
  notStated: "not stated",
  dependencies: "Dependencies",
  sameDependencies: "Packages that both have need the same.",
  changes: { added: "added", removed: "removed", changed: "changed" },
  causes: {
    "package-added": "the package was added",
    "suppression-ended": "no statement suppresses it any more",
    undecided: "undecided in the other image",
    "version-changed": "another version of the package",
    "advisory-added": "the advisory is new",
    "evidence-changed": "the evidence for the package changed",
    "package-removed": "the package was removed",
    suppressed: "a statement suppresses it",
    fixed: "fixed",
    "advisory-withdrawn": "the advisory was withdrawn",
  },
  columns: {
    change: "Change",
    severity: "Severity",
    id: "Vulnerability",
    package: "Package",
    fixed: "Fixed in",
    cause: "Why",
    before: "Before",
    after: "After",
    noLonger: "No longer needs",
    now: "Needs now",
  },
} as const;

/** The licences of an image. */
export const licenses = {
  summary: (packages: number, unstated: number) =>
    `${packages} packages. ${unstated === 0 ? "All state a licence." : `${unstated} state no licence.`}`,
  partial: "The image could be read only in part: there may be more.",
  license: "Licence",
  all: "All licences",
  notStated: "not stated",
  counted: (license: string, packages: number) => `${license} (${packages})`,
  filter: "Filter by package or licence",
  noneLike: "No package fits these filters.",
  columns: { name: "Package", version: "Version", license: "Licence", statedIn: "Stated in", supplier: "Supplier" },
} as const;

/** Reports as files. */
export const downloads = {
  title: "Download the report",
  formats: { sarif: "SARIF", cyclonedx: "CycloneDX", spdx: "SPDX", csv: "CSV" },
  noReport: "There is no report of the image yet.",
} as const;

/** The page of a vulnerability. */
export const vulnerability = {
  affected: "Images that have it",
  none: "No image that was assessed has it. Images that were not assessed may.",
  undescribed: "The reports of the images on this page do not describe it.",
  aliases: "Also called",
  severity: "Severity",
  cvss: "CVSS",
  epss: "EPSS",
  exploited: "Known to be exploited",
  published: "Published",
  links: "Links",
  columns: { image: "Image", tags: "Tags", severity: "Severity", packages: "Packages and what fixes them" },
  fixedBy: (name: string, version: string, fix: string) => `${name} ${version} → ${fix}`,
  noFix: (name: string, version: string) => `${name} ${version}: no fix is known`,
  unknownPackages: "The scanner cannot be reached at the moment.",
  everywhere: "All images that have it",
  signInToSee: (id: string) => `Sign in to see which images have ${id}`,
  look: (id: string) => `Which images have ${id}?`,
} as const;
