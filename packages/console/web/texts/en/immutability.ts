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
