/** The home page. */
export const home = {
  title: "Home",
  repositories: "Repositories",
  none: "You see no repository yet.",
  noneAnonymous: "No repository is public. Sign in to see yours.",
  push: "Push an image",
} as const;

/** Failures that need the visitor's attention. */
export const attention = {
  title: "Needs your attention",
  nothing: "No build, mirror or quota needs your attention.",
  nothingButFeeds: "No build, mirror, quota, blob or job needs your attention.",
  nothingAtAll: "No build, mirror, quota, blob, job or feed needs your attention.",
  more: "There are more.",
  allJobs: "All jobs that failed",
  allFeeds: "All feeds",
  build: { before: "A build of ", after: " failed" },
  mirror: { before: "The mirror ", after: (from: string) => ` could not be synchronized with ${from}` },
  catalog: { before: "The organization ", after: (from: string) => ` could not read the catalog of ${from}` },
  quota: {
    after: (used: string, limit: string, percent: number) => ` uses ${used} of ${limit} (${percent} %)`,
    states: { near: "nearly full", warned: "a warning is given", refused: "pushes are refused" },
  },
  blob: {
    before: (digest: string) => `The blob ${digest}`,
    faults: {
      missing: " is missing in the blob store",
      wrong_size: " has the wrong size in the blob store",
      wrong_digest: " has other bytes in the blob store",
      unreadable: " cannot be read in the blob store",
    },
    needed: ". Push it again to ",
  },
  job: { before: "The job ", after: " failed permanently" },
  feed: {
    before: "The feed ",
    states: {
      missing: " is not loaded",
      outdated: " is old: it was last checked ",
      failed: " could not be updated; it was last checked ",
    },
  },
} as const;
