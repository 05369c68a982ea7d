/** Rules that delete tags automatically. */
export const pruning = {
  title: "Auto-prune",
  about: {
    repository: "Every hour, tags that a rule selects are deleted. Rules of the namespace apply here too.",
    namespace:
      "Every hour, tags that a rule selects are deleted in all repositories of the namespace. The page of a repository shows what the rules would delete.",
  },
  none: "No rule deletes tags. Try one above and see what it would delete.",
  columns: { rule: "Rule", tags: "For tags", actions: "Actions" },
  method: "Keep",
  methods: { number_of_tags: "The newest tags, this many", creation_date: "Tags that are newer than" },
  value: "How many, or how long",
  valueRule: "A number such as 10, or a time such as 7d.",
  pattern: "Only tags that this expression selects (optional)",
  matches: "Which tags",
  matchesOptions: { yes: "Those that match", no: "Those that do not match" },
  keep: {
    number_of_tags: (value: number | string) => `Keep the newest ${value}`,
    creation_date: (value: number | string) => `Keep what is newer than ${value}`,
  },
  allTags: "all",
  like: (pattern: string) => `like ${pattern}`,
  unlike: (pattern: string) => `unlike ${pattern}`,
  unusable: (problem: string) =>
    `The registry cannot use this expression: ${problem}. The rule deletes nothing. Delete it, and add one with a shorter expression.`,
  add: "Add rule",
  preview: "Preview rule",
  remove: "Delete rule",
  removed: "Tags that only this rule would have deleted will stay.",
  previewed: {
    title: "What would be deleted now",
    about: "This preview deletes nothing. It includes the rules of the namespace.",
    aboutTried: (rule: string) => `With the new rule: ${rule}. This preview deletes nothing.`,
    none: "The repository has no tag.",
    columns: { tag: "Tag", pushed: "Pushed", deleted: "What happens", why: "Why" },
    deleted: "Deleted",
    stays: "Stays",
    tried: "the new rule",
    ofNamespace: "a rule of the namespace",
    reasons: {
      too_old: (rule: string) => `too old for ${rule}`,
      too_many: (rule: string, rank = 0) => `number ${rank} of the tags of ${rule}`,
      new_enough: (rule: string) => `new enough for ${rule}`,
      among_newest: (rule: string, rank = 0) => `number ${rank} of the tags of ${rule}`,
    },
    kept: {
      immutable: "it is immutable",
      referrer: "it belongs to another image",
      no_policy: "no rule selects it",
      state: "the repository accepts no changes",
    },
  },
} as const;

/** Patterns of tags that nothing may change. */
export const immutability = {
  title: "Immutable tags",
  about: "No account can move or delete a tag that a pattern protects. This applies to existing and new tags.",
  aboutOrganization:
    "No account can move or delete a tag that a pattern protects, in any repository of the organization. New tags are protected at once, existing tags within seconds.",
  inherited: "from the organization",
  none: "Accounts that may push can change every tag.",
  columns: { pattern: "Tags", actions: "Actions" },
  pattern: "Expression for the name of a tag",
  patternRule: "For example ^v[0-9]+ for v1 and v2.0.",
  matches: "Which tags",
  matchesOptions: { yes: "Those that match", no: "Those that do not match" },
  like: (pattern: string) => `like ${pattern}`,
  unlike: (pattern: string) => `unlike ${pattern}`,
  unusable: (problem: string) =>
    `The registry cannot use this expression: ${problem}. Until you delete it, every tag that is pushed becomes immutable.`,
  add: "Make immutable",
  remove: "Delete pattern",
  removed: "Tags that no other pattern protects can be changed again.",
} as const;

/** What holds for a repository, or for all of a namespace. */
export const policies = {
  label: "Policies",
  parts: {
    pruning: "Pruning",
    quota: "Quota",
    gate: "Pull gate",
    immutability: "Immutable tags",
    cache: "Proxy cache",
    mirror: "Mirror",
  },
} as const;

/** Storage quotas of namespaces. */
export const quotas = {
  title: "Quota",
  quotaOf: (name: string) => `Quota of ${name}`,
  used: (used: string) => `${used} used. There is no quota.`,
  usedOf: (used: string, limit: string, percent: number) => `${used} of ${limit} used (${percent} %).`,
  metadata: (bytes: string) => `Manifests and labels are ${bytes} of it: those above 1 MiB count as images do.`,
  meter: "Part of the quota that is used",
  default: "The quota is the registry's default.",
  limits: "Limits",
  noLimits: "There is no limit. Until the quota is used up, nothing is warned of or refused.",
  columns: { type: "What happens", at: "At", actions: "Actions" },
  types: { Warning: "Administrators are warned", Reject: "Pushes are refused" },
  percent: (percent: number) => `${percent} %`,
  amount: "Quota",
  unit: "Unit",
  units: { MiB: "MiB", GiB: "GiB", TiB: "TiB" },
  set: "Set quota",
  remove: "Remove quota",
  removed: (name: string) =>
    `The registry's default quota will apply to ${name}. Without a default, its storage is unlimited.`,
  type: "What happens",
  at: "At percent of the quota",
  addLimit: "Add limit",
  removeLimit: "Remove limit",
  limitRemoved: "Nothing will happen at this percentage of the quota any more.",
} as const;
