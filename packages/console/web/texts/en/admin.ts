interface Waiting {
  readonly repositories: string;
  readonly namespaces: string;
  readonly uploads: string;
  readonly size: string;
}

/** The state of the registry. */
const overview = {
  title: "State of the registry",
  about: "What needs attention. Mirrors, builds and quotas are those that you administer yourself.",
  columns: { part: "Part", state: "State", names: "Which" },
  parts: {
    feeds: "Feeds that are missing, old or failed",
    jobs: "Jobs that failed for good",
    blobs: "Missing or damaged blobs",
    mirrors: "Mirrors whose last run failed",
    builds: "Builds that failed since yesterday",
    quotas: "Quotas near their limit",
  },
  unknown: "not known here",
  well: "none",
  failing: (count: number) => String(count),
  failingAtLeast: (count: number) => `${count} or more`,
} as const;

/** Garbage collection. */
const garbage = {
  title: "Garbage collection",
  about:
    "Content that nothing refers to is removed automatically: every ten minutes, repositories that may hold garbage are checked. A plan lists what would be removed, and removes nothing.",
  last: "Last collection",
  lastFreeing: "Last collection that removed something",
  never: "None yet.",
  nothing: "It found nothing to remove.",
  at: "Started",
  ended: "Ended",
  running: "still running",
  stopped: "interrupted",
  looked: "Repositories checked",
  waiting: "Pending",
  waits: ({ repositories, namespaces, uploads, size }: Waiting) =>
    `Deleted, not yet removed: ${repositories} repositories, ${namespaces} namespaces. Uploads in progress: ${uploads} (${size}).`,
  collect: "Collect garbage now",
  plan: "Plan a collection",
  collecting: { waiting: "A collection waits for a worker.", running: "A collection is running." },
  planning: { waiting: "A plan waits for a worker.", running: "A plan is being made." },
  progress: (repositories: string, items: string) => `Repositories so far: ${repositories}. Found: ${items}.`,
  cancelCollecting: "Cancel collection",
  cancelPlanning: "Cancel plan",
  columns: { kind: "Kind", items: "Number", size: "Size" },
  kinds: {
    tag: "Tags",
    manifest: "Manifests",
    link: "Blobs removed from a repository",
    blob: "Stored blobs",
    upload: "Uploads",
    repository: "Deleted repositories",
    namespace: "Deleted namespaces",
  },
  wouldTitle: "What a collection would remove",
  wouldFree: (size: string) => `A collection would free ${size}.`,
  wouldNothing: "A collection would remove nothing.",
  freed: (size: string) => `It freed ${size}.`,
  partial: "The plan reached its limits: there is more than it lists.",
  keptTitle: "What stays, and why",
  keptColumns: { what: "What", number: "Number", why: "Why" },
  kept: {
    tags: ["Deleted tags", "They can be restored for a time that their namespace sets."],
    manifests: ["Manifests without a tag", "They were pushed within the last hour, and a tag or an index may follow."],
    links: ["Blobs without a manifest", "They were pushed within the last day, and their manifest may follow."],
    uploads: ["Uploads", "They received data within the last two days."],
    stored: ["Stored blobs", "Repositories use them."],
  },
  held: "The registry is being copied: no blob is removed until the copy has ended.",
} as const;

/** Pages of superusers, except users, jobs and messages. */
export const administration = {
  garbage,
  overview,
  organizations: {
    none: "There is no organization. Users create them on their account page.",
    columns: { name: "Name", email: "E-mail address", used: "Used", actions: "Actions" },
    own: "Take ownership",
    owned: (name: string) => `You will join the owners team of ${name} and administer everything in it.`,
    remove: "Delete organization",
    removed: (name: string) =>
      `${name} will be deleted with all its repositories, teams and robots. This cannot be undone.`,
  },
  keys: {
    about:
      "Programs sign their requests to the registry with a service key. A key that a program submits becomes valid when it is approved.",
    none: "There is no service key. Create one above, or let a program submit one.",
    service: "Service",
    serviceRule: "Such as my_builder: lower-case letters, digits and _.",
    name: "Name of the key",
    days: "Days of validity (empty: no end)",
    notes: "Notes (optional)",
    create: "Create service key",
    made: "This is the private key. Save it now: it is shown only once.",
    columns: {
      name: "Name",
      service: "Service",
      kid: "Key id",
      created: "Created",
      expires: "Expires",
      approval: "Approval",
      actions: "Actions",
    },
    never: "never",
    waiting: "Waits for approval",
    approved: (by: string) => `Approved by ${by}`,
    approvedItself: "Approved automatically",
    approve: "Approve key",
    remove: "Delete key",
    removed: "Requests that are signed with it will be refused from now on.",
  },
  feeds: {
    title: "Feeds",
    filter: "Filter by name",
    noneLike: (text: string) => `No feed has “${text}” in its name.`,
    about: "Images are matched against these feeds. Findings are only as current as the feeds.",
    none: "No feed is loaded, so no image has findings. The settings choose the feeds, and jobs load them.",
    unknown: "There is no scanner, or it runs elsewhere and does not report its feeds.",
    columns: {
      name: "Feed",
      kind: "Provides",
      rows: "Rows",
      dropped: "Unusable records",
      changed: "Last changed",
      checked: "Last checked",
      state: "State",
    },
    kinds: { vulnerability: "Advisories", enrichment: "Facts about vulnerabilities" },
    records: (counts: string) => `Records of the last update: ${counts}`,
    outcomes: { read: "read", withdrawn: "withdrawn", failed: "failed", skipped: "skipped" },
    useless: "Nothing of it could be used",
    outdated: "Too old",
    missing: "Not loaded",
    usable: "Not too old",
    failed: "The last update failed",
    current: "Up to date",
  },
  storage: {
    title: "Stored bytes",
    about: "Each blob is counted once. Jobs delete layers that no image needs, in steps.",
    size: "Stored",
    counted: "Counted",
    never: "never",
    running: "A count is under way.",
    count: "Count again",
    jobs: "See the jobs that delete them",
  },
  settings: {
    title: "Settings in force",
    about:
      "The settings of the process that served this page. They come from flags, the environment or a file; changes take effect after a restart. Secrets are never shown.",
    unknown: "This registry runs inside another program, which does not report its settings.",
    filter: "Filter by name or meaning",
    onlyGiven: "Only settings that were given",
    noneLike: "No setting matches the filters.",
    columns: { name: "Setting", value: "Value", source: "From", meaning: "Meaning" },
    sources: { flag: "a flag", environment: "the environment", file: "a file", default: "–" },
    default: "default:",
    secret: "set, not shown",
  },
} as const;
