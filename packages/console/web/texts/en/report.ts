/** Texts of only the HTML report. */
export const report = {
  search: "Search id, package, path …",
  reset: "Reset",
  remedy: "What to do",
  evidence: "Evidence",
} as const;
