/** What the visitor sees of the registry, and what needs them. */
export const home = {
  title: "Home",
  repositories: "Repositories",
  none: "You see no repository yet.",
  noneAnonymous: "No repository is public. Sign in to see yours.",
  push: "Push an image",
} as const;

/** What needs the visitor. */
export const attention = {
  title: "What needs you",
  nothing: "No build, mirror or quota needs you.",
  nothingButFeeds: "No build, mirror, quota or job needs you.",
  nothingAtAll: "No build, mirror, quota, job or feed needs you.",
  more: "There are more.",
  allJobs: "All jobs that failed",
  allFeeds: "All feeds",
  build: { before: "A build of ", after: " failed" },
  mirror: { before: "The mirror ", after: (from: string) => ` could not be brought up to date with ${from}` },
  catalog: { before: "The organization ", after: (from: string) => ` could not read the catalog of ${from}` },
  quota: {
    after: (used: string, limit: string, percent: number) => ` uses ${used} of ${limit} (${percent} %)`,
    states: { near: "nearly all it may use", warned: "a warning is given", refused: "pushes are refused" },
  },
  job: { before: "The job ", after: " failed for good" },
  feed: {
    before: "The feed ",
    states: {
      missing: " is not loaded",
      outdated: " is old: it was last checked ",
      failed: " could not be brought up to date; it was last checked ",
    },
  },
} as const;
