/** Repository permissions, and the default ones of an organization. */
export const permissions = {
  granted: {
    title: (name: string) => `Permissions of ${name} on repositories`,
    none: "It has no role on a repository of its own.",
    repository: "Repository",
  },
  label: "Who has permissions",
  parts: { users: "Users and robots", teams: "Teams" },
  roles: { read: "Read: may pull", write: "Write: may push", admin: "Admin: may change settings" },
  columns: { name: "Name", kind: "Kind", role: "Role", actions: "Actions" },
  kinds: { user: "User", outside: "User outside the organization", robot: "Robot", team: "Team" },
  role: "Role",
  roleOf: (name: string) => `Role of ${name}`,
  grant: "Grant role",
  remove: "Remove permission",
  removeChosen: "Remove chosen permissions",
  removedChosen: (count: number) => `Permissions that will be removed: ${count}. What other permissions allow stays.`,
  user: {
    title: "Users and robots",
    about: "Permissions of single accounts here, in addition to those of their teams.",
    none: "No user or robot has a permission of their own. Grant one a role above.",
    name: "User or robot",
    removed: (name: string) => `${name} will keep only what teams of ${name} may do here.`,
  },
  team: {
    title: "Teams",
    about: "Permissions of all members of a team here.",
    none: "No team has a permission here. Grant one a role above.",
    name: "Team",
    removed: (name: string) => `Members of ${name} will keep only what they may do here by other permissions.`,
  },
  defaults: {
    title: "Default permissions",
    about: "What is granted on each new repository of the organization. Repositories that exist stay as they are.",
    none: "New repositories are granted only to their creator. Add a default permission above.",
    columns: { delegate: "Granted to", kind: "Kind", role: "Role", creator: "When created by", actions: "Actions" },
    kind: "Grant to",
    kindOptions: { user: "User or robot", team: "Team" },
    name: "Name",
    creator: "Only when created by (optional)",
    anyone: "any member",
    add: "Add default permission",
    remove: "Remove default permission",
    removed: (name: string) => `${name} will be granted nothing on repositories that are created from now on.`,
  },
} as const;

/** The page of a repository and its tags. */
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
  star: "Star",
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
    `The tag ${tag} will be deleted. It can be restored from the history for a time that the namespace sets.`,
  deletedTags: (count: number) =>
    count === 1
      ? "The chosen tag will be deleted. It can be restored from the history for a time that the namespace sets."
      : `${count} tags will be deleted. They can be restored from the history for a time that the namespace sets.`,
  deleteTags: "Delete chosen tags",
  description: "Description",
  noDescription: "There is no description.",
  edit: "Edit the description",
  save: "Save the description",
  page: (page: number) => `Page ${page}`,
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  earlier: "Previous page",
  later: "Next page",
} as const;

/** The history of tags. */
export const history = {
  none: "No tag was ever pushed here.",
  noneLike: (part: string) => `No tag ever had “${part}” in its name.`,
  filter: "Filter tags",
  columns: {
    tag: "Tag",
    digest: "Pointed to",
    from: "From",
    startedBy: "Begun",
    until: "Until",
    endedBy: "Ended",
    actions: "Actions",
  },
  actors: {
    push_repo: "pushed by",
    create_tag: "created by",
    move_tag: "moved by",
    revert_tag: "restored by",
    delete_tag: "deleted by",
    permanently_delete_tag: "deleted for good by",
    autoprune_tag_delete: "pruned by a policy",
  },
  noAccount: "a job or a token",
  now: "now",
  restore: "Restore",
  restored: (tag: string, digest: string) => `The tag ${tag} will point to ${digest} again.`,
} as const;

/** The form that creates a repository. */
export const newRepository = {
  title: "New repository",
  name: "Name",
  nameRule: "Lower-case letters and digits, with single . _ - or / between them.",
  visibility: "Who may pull",
  visibilities: { private: "Only accounts with a permission", public: "Everyone" },
  description: "Description (optional)",
  reference: "Copy from this repository of another registry (optional)",
  referenceRule: (namespace: string) =>
    `Such as registry.example.com/library/app. It becomes a mirror: the robot ${namespace}+mirror pushes to it, and is created if there is none.`,
  robot: "Pushes to mirrors",
  create: "Create repository",
} as const;

/** Settings of a repository. */
export const repositorySettings = {
  state: "What may be changed",
  states: {
    NORMAL: "Accounts that may push can change it",
    READ_ONLY: "Nothing: it is read-only",
    MIRROR: "Only its synchronization changes it",
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
  deleted: "All its tags and images are deleted with it. This cannot be undone.",
} as const;

/** Expiration and immutability of a tag. */
export const tagLifetime = {
  change: (tag: string) => `Change the expiration of ${tag}: `,
  never: "never",
  immutable: "immutable",
  end: "Last day (UTC)",
  save: "Set expiration",
  keep: "Keep forever",
  lock: "Make immutable",
  unlock: "Allow changes",
} as const;
