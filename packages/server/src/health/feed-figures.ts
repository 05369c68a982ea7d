import type { FeedStatus } from "@plimsoll/matcher";

/** The age and the size of each feed in Prometheus' text format. */
export function feedFigures(feeds: readonly FeedStatus[], now: number): string {
  const gauge = (name: string, help: string, read: (feed: FeedStatus) => number) =>
    [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...feeds.map((feed) => `${name}{feed="${feed.name.replaceAll(/["\\\n]/g, "_")}"} ${read(feed)}`),
      "",
    ].join("\n");
  return [
    gauge("plimsoll_feed_age_seconds", "Since the feed was last found to be up to date.", ({ checkedAt }) =>
      Math.max(0, Math.round((now - checkedAt) / 1000)),
    ),
    gauge("plimsoll_feed_rows", "Advisories or facts of the feed that hold now.", ({ rows }) => rows),
    gauge("plimsoll_feed_dropped_records", "Records of the feed that could not be used.", (feed) => feed.dropped.count),
  ].join("");
}

/** A line for each feed, for people. An outdated feed is named as such, and does not keep the service from being ready. */
export function feedLines(feeds: readonly FeedStatus[], now: number, maxAgeDays: number): string {
  if (feeds.length === 0) return "feeds: none is loaded\n";
  const lines = feeds.map(({ name, checkedAt, rows }) => {
    const hours = Math.floor((now - checkedAt) / 3_600_000);
    return `feed ${name}: ${rows} rows, checked ${hours} h ago${hours > maxAgeDays * 24 ? ", outdated" : ""}\n`;
  });
  return lines.join("");
}
