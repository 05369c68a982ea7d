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
