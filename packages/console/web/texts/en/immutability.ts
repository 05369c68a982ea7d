/** Patterns of tags that nothing may change. */
export const immutability = {
  title: "Immutable tags",
  about:
    "A tag that a pattern describes can be neither moved nor deleted, by any account. That holds for tags that are there and for those to come.",
  aboutOrganization:
    "A tag that a pattern describes can be neither moved nor deleted, in any repository of the organization. New tags are protected at once, those that are there within seconds.",
  inherited: "from the organization",
  none: "Every tag may be changed by those who may push.",
  columns: { pattern: "Tags", actions: "Actions" },
  pattern: "Expression for the name of a tag",
  patternRule: "For example ^v[0-9]+ for v1 and v2.0.",
  matches: "Which tags",
  matchesOptions: { yes: "Those that match", no: "Those that do not match" },
  like: (pattern: string) => `like ${pattern}`,
  unlike: (pattern: string) => `unlike ${pattern}`,
  add: "Make immutable",
  remove: "Delete pattern",
  removed: "Tags that no other pattern describes can be changed again.",
} as const;
