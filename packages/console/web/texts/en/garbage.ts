interface Waiting {
  readonly repositories: string;
  readonly namespaces: string;
  readonly uploads: string;
  readonly size: string;
}

/** The collection of garbage. */
export const garbage = {
  title: "Garbage collection",
  about:
    "What nothing refers to any more is removed by itself, every ten minutes, where something may have become garbage. A plan says what would be removed, and removes nothing.",
  last: "Last collection",
  lastFreeing: "Last collection that removed something",
  never: "There was none yet.",
  nothing: "It found nothing to remove.",
  at: "Began",
  ended: "Ended",
  running: "still running",
  stopped: "stopped before its end",
  looked: "Repositories looked at",
  waiting: "What waits",
  waits: ({ repositories, namespaces, uploads, size }: Waiting) =>
    `Deleted and not removed yet: ${repositories} repositories, ${namespaces} namespaces. Uploads under way: ${uploads} (${size}).`,
  collect: "Collect garbage now",
  plan: "Plan a collection",
  collecting: { waiting: "A collection waits for a worker.", running: "A collection runs." },
  planning: { waiting: "A plan waits for a worker.", running: "A plan is made." },
  progress: (repositories: string, items: string) => `Repositories so far: ${repositories}. Found: ${items}.`,
  cancelCollecting: "Cancel collection",
  cancelPlanning: "Cancel plan",
  columns: { kind: "Kind", items: "Number", size: "Size" },
  kinds: {
    tag: "Tags",
    manifest: "Manifests",
    link: "Blobs that a repository loses",
    blob: "Stored blobs",
    upload: "Uploads",
    repository: "Deleted repositories",
    namespace: "Deleted namespaces",
  },
  wouldTitle: "What a collection would remove",
  wouldFree: (size: string) => `A collection would free ${size}.`,
  wouldNothing: "A collection would remove nothing.",
  freed: (size: string) => `It freed ${size}.`,
  partial: "The plan reached its limits: there is more than it says.",
  keptTitle: "What stays, and why",
  keptColumns: { what: "What", number: "Number", why: "Why" },
  kept: {
    tags: ["Tags that ended", "They can be restored for as long as their namespace says."],
    manifests: ["Manifests without a tag", "They were pushed within the last hour, and a tag or an index may follow."],
    links: ["Blobs without a manifest", "They were pushed within the last day, and their manifest may follow."],
    uploads: ["Uploads", "Something was added to them within two days."],
    stored: ["Stored blobs", "Repositories have them."],
  },
  held: "The registry is being copied: no blob is removed until the copy has ended.",
} as const;
