/** What only the report as a file says. */
export const report = {
  search: "Search id, package, path …",
  reset: "Reset",
  remedy: "What to do",
  evidence: "Evidence",
} as const;
