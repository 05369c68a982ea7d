/** A repository, and its tags. */
export const repository = {
  tabs: {
    tags: "Tags",
    history: "History",
    information: "Information",
    suppressed: "Suppressed",
    builds: "Builds",
    permissions: "Permissions",
    notifications: "Notifications",
    policies: "Policies",
    mirror: "Mirror",
    logs: "Usage log",
    settings: "Settings",
  },
  pull: "Pull",
  filter: "Filter tags",
  none: "There is no tag here.",
  pushFirst: "There is no tag here yet. Name an image for this repository, and push it:",
  noneLike: (part: string) => `No tag has “${part}” in its name.`,
  columns: {
    tag: "Tag",
    digest: "Digest",
    size: "Size",
    platforms: "Platforms",
    changed: "Changed",
    expires: "Expires",
    actions: "Actions",
  },
  never: "never",
  deleteTag: "Delete tag",
  deletedTag: (tag: string) =>
    `The tag ${tag} will be deleted. It can be restored from the history for as long as the namespace says.`,
  description: "Description",
  noDescription: "No description was written.",
  edit: "Edit the description",
  save: "Save the description",
  page: (page: number) => `Page ${page}`,
  earlier: "Previous page",
  later: "Next page",
} as const;

/** Which tag showed which image, and when. */
export const history = {
  none: "No tag was ever pushed here.",
  columns: { tag: "Tag", digest: "Pointed to", from: "From", until: "Until", actions: "Actions" },
  now: "now",
  restore: "Restore",
  restored: (tag: string, digest: string) => `The tag ${tag} will point to ${digest} again.`,
} as const;

/** Who sees and changes a repository, and its end. */
export const repositorySettings = {
  state: "What may be changed",
  states: {
    NORMAL: "Those who may push change it",
    READ_ONLY: "Nothing: it is read-only",
    MIRROR: "Only its mirror changes it",
  },
  saveState: "Save state",
  visibility: "Who sees it",
  isPublic: "Everyone sees this repository and may pull from it.",
  isPrivate: "Only accounts with a permission see this repository.",
  makePublic: "Make public",
  makePrivate: "Make private",
  madePublic: "Everyone will see this repository and may pull from it.",
  madePrivate: "Only accounts with a permission will see this repository.",
  end: "Delete the repository",
  remove: "Delete repository",
  deleted: "All its tags and images go with it. This cannot be undone.",
} as const;

/** How long a tag stays, and whether anything may change it. */
export const tagLifetime = {
  change: (tag: string) => `Change how long ${tag} stays: `,
  never: "never",
  immutable: "immutable",
  end: "Ends with the day (UTC)",
  save: "Set expiration",
  keep: "Keep for ever",
  lock: "Make immutable",
  unlock: "Allow changes",
} as const;
