interface Waiting {
  readonly repositories: string;
  readonly namespaces: string;
  readonly uploads: string;
  readonly size: string;
}

/** Garbage collection. */
export const garbage = {
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
