/** Reports as files. */
export const downloads = {
  title: "Download the report",
  formats: { sarif: "SARIF", cyclonedx: "CycloneDX", spdx: "SPDX", csv: "CSV" },
  noReport: "There is no report of the image yet.",
} as const;
