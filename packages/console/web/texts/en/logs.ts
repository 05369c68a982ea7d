/** Usage logs: entries, counts and export. */
export const logs = {
  title: "Usage log",
  from: "From",
  to: "To",
  by: "Done by",
  days: "Days are those of UTC.",
  chart: "Entries a day",
  noChart: "The chart is drawn for 31 days at most.",
  chartLabel: (total: string, days: number) => `${total} entries in ${days} days. The table below has each day.`,
  asTable: "Show as a table",
  columns: { when: "When", what: "What", who: "Who", from: "From", about: "About", day: "Day", count: "Entries" },
  kinds: "Kinds of entries",
  none: "Nothing was logged in these days.",
  noneOfKind: "None of the loaded entries is of this kind.",
  anonymous: "anonymous",
  export: {
    title: "Export",
    about:
      "The entries of these days are written to a file. Its link is sent to an e-mail address or to the address of a program.",
    email: "E-mail address",
    url: "Address to call",
    begin: "Export log",
    begun: (id: string) => `The export ${id} has started. The link is sent when the file is ready.`,
  },
} as const;
