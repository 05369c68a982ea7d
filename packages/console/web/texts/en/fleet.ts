/** Vulnerabilities of a namespace's images, now and over time. */
export const fleet = {
  parts: { found: "Found", suppressed: "Suppressed" },
  title: "Vulnerabilities now",
  images: (images: number, uncounted: number, partial: number) =>
    `${images} ${images === 1 ? "image" : "images"} under tags; ${uncounted} not assessed, ${partial} assessed in part.`,
  none: "There is no tagged image here.",
  worst: "The worst images",
  columns: {
    image: "Image",
    tags: "Tags",
    severities: "Vulnerabilities",
    fixable: "With a fix",
    exploited: "Exploited",
  },
  news: "New vulnerabilities since yesterday",
  noNews: "No vulnerability was found in your images since yesterday.",
  newsColumns: { image: "Image", found: "Found", count: "New", first: "Worst" },
  trend: "Vulnerabilities by day",
  noTrend: "There are no counts yet. The first are recorded within an hour after an image was scanned.",
  trendLabel: (first: string, last: string, most: string) =>
    `Vulnerabilities by severity on each day from ${first} to ${last}; at most ${most}. The table below has the figures.`,
  figures: "The figures as a table",
  day: "Day",
  notAssessed: "Not assessed",
  days: "Days",
} as const;
