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
