import type { FeedStatus } from "@plimsoll/matcher";

/** @param expected names of all feeds that are to be loaded; those that are not have no rows, and no age */
export function feedFigures(feeds: readonly FeedStatus[], expected: readonly string[], now: number): string {
  const missing = missingFrom(feeds, expected);
  const gauge = (name: string, help: string, read: (feed: FeedStatus) => number) =>
    [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...feeds.map((feed) => `${name}{feed="${label(feed.name)}"} ${read(feed)}`),
      ...(name === rowsGauge ? missing.map((feed) => `${name}{feed="${label(feed)}"} 0`) : []),
      "",
    ].join("\n");
  return [
    gauge("plimsoll_feed_age_seconds", "Since the feed was last found to be up to date.", ({ checkedAt }) =>
      Math.max(0, Math.round((now - checkedAt) / 1000)),
    ),
    gauge(rowsGauge, "Advisories or facts of the feed that hold now.", ({ rows }) => rows),
    gauge("plimsoll_feed_dropped_records", "Records of the feed that could not be used.", (feed) => feed.dropped.count),
  ].join("");
}

const rowsGauge = "plimsoll_feed_rows";

function label(name: string): string {
  return name.replaceAll(/["\\\n]/g, "_");
}

function missingFrom(feeds: readonly FeedStatus[], expected: readonly string[]): readonly string[] {
  const loaded = new Set(feeds.map(({ name }) => name));
  return expected.filter((name) => !loaded.has(name)).sort();
}

/** What is expected of feeds, and when it is asked. */
export interface ExpectedFeeds {
  /** Names of all feeds that are to be loaded. */
  readonly expected: readonly string[];
  readonly now: number;
  readonly maxAgeDays: number;
}

/**
 * A line for each feed, for people. An outdated feed and one that was never loaded are named as such, and do not keep the service
 * from being ready.
 */
export function feedLines(feeds: readonly FeedStatus[], { expected, now, maxAgeDays }: ExpectedFeeds): string {
  if (feeds.length === 0) return "feeds: none is loaded\n";
  const lines = feeds.map(({ name, checkedAt, rows }) => {
    const hours = Math.floor((now - checkedAt) / 3_600_000);
    return `feed ${name}: ${rows} rows, checked ${hours} h ago${hours > maxAgeDays * 24 ? ", outdated" : ""}\n`;
  });
  const missing = missingFrom(feeds, expected).map((name) => `feed ${name}: not loaded\n`);
  return [...lines, ...missing].join("");
}
