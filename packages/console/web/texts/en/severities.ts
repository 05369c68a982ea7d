/** Counts of vulnerabilities by severity. */
export const severities = {
  title: "Vulnerabilities",
  counts: (counts: string) => `Vulnerabilities: ${counts}`,
  none: "none known",
  noneButPartial: "none known, not all assessed",
  notAssessed: "not assessed",
  partial: "not all was assessed",
  mayHaveMore: "or more",
} as const;
