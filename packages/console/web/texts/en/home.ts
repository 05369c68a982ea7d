/** The home page. */
export const home = {
  title: "Home",
  repositories: "Repositories",
  views: { all: "All", starred: "Starred" },
  noneStarred: "You have starred no repository. The page of each repository has a button for it.",
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

/** The command palette. */
export const palette = {
  title: "Go to a place, a repository or an action",
  open: "Search or go to…",
  hint: "Ctrl K",
  input: "Type a name, a vulnerability or an action",
  groups: { here: "On this page", places: "Places", actions: "Actions", found: "Found in the registry" },
  search: (text: string) => `Search for “${text}”`,
  counted: (count: number) => `${count} ${count === 1 ? "entry" : "entries"}`,
  account: "Your account",
  explorer: "API explorer",
  admin: "Administration",
  securityOf: (namespace: string) => `Vulnerabilities of ${namespace}`,
  robotsOf: (namespace: string) => `Robots of ${namespace}`,
  logOf: (namespace: string) => `Usage log of ${namespace}`,
  newToken: "Create an app token",
  newOrganization: "Create an organization",
  signOut: "Sign out",
  signIn: "Sign in",
  tags: "Tags of this repository",
  history: "History of this repository",
  suppressed: "What is suppressed in this repository",
  packages: "Packages of this image",
  layers: "Layers of this image",
  compare: "Compare this image with another tag",
} as const;

/** Conflicts between the changes of two users. */
export const conflict = {
  title: "This was changed by someone else meanwhile.",
  meaning:
    "Your change was not made; your input is still in the form. “Keep mine” replaces the current value with your input. “Take theirs” discards your input.",
  theirs: "Current value",
  differs: "Differs from your form",
  nothing: "It was removed.",
  keepMine: "Keep mine",
  takeTheirs: "Take theirs",
  choice: (mine: string, theirs: string) => `You chose “${mine}”; now it is “${theirs}”. Your change was not made.`,
} as const;
