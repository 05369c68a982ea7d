import { describe, expect, it } from "vitest";
import { feedFigures, feedLines, jobFigures } from "./figures.ts";

const hour = 3_600_000;
const feed = (name: string, checkedAt: number, rows: number) =>
  ({
    name,
    kind: "vulnerability",
    fingerprint: "1",
    changedAt: 0,
    checkedAt,
    rows,
    dropped: { count: 2, first: [] },
  }) as const;
const feeds = [feed("alpine", 0, 7), feed("debian", 200 * hour, 40_000)];

describe("feedFigures", () => {
  it("shows the age, the rows and the dropped records of each feed", () => {
    const text = feedFigures(feeds, ["alpine", "kev", "debian"], 201 * hour);

    expect(text).toContain('plimsoll_feed_age_seconds{feed="alpine"} 723600\n');
    expect(text).toContain('plimsoll_feed_age_seconds{feed="debian"} 3600\n');
    expect(text).toContain('plimsoll_feed_rows{feed="debian"} 40000\n');
    expect(text).toContain('plimsoll_feed_rows{feed="kev"} 0\n');
    expect(text).not.toContain('plimsoll_feed_age_seconds{feed="kev"}');
    expect(text).toContain('plimsoll_feed_dropped_records{feed="alpine"} 2\n');
  });
});

describe("feedFigures of a feed that accounts for its records", () => {
  it("shows how many were read, withdrawn, skipped by each rule and not readable", () => {
    const skipped = [{ rule: "not-an-advisory", count: 14, example: "README.md" }];
    const account = { records: 1607, read: 1590, withdrawn: 2, failed: 1, skipped };

    const lines = feedFigures([{ ...feed("php", 0, 7), account }, feed("debian", 0, 1)], [], 0).split("\n");

    expect(lines.filter((line) => line.startsWith("plimsoll_feed_records"))).toEqual([
      'plimsoll_feed_records{feed="php",outcome="read"} 1590',
      'plimsoll_feed_records{feed="php",outcome="withdrawn"} 2',
      'plimsoll_feed_records{feed="php",outcome="failed"} 1',
      'plimsoll_feed_records{feed="php",outcome="not-an-advisory"} 14',
    ]);
  });
});

describe("feedLines", () => {
  it("shows which feeds are outdated and which were never loaded", () => {
    expect(feedLines(feeds, { expected: ["kev", "debian"], failures: [], now: 201 * hour, maxAgeDays: 7 })).toBe(
      "feed alpine: 7 rows, checked 201 h ago, outdated\nfeed debian: 40000 rows, checked 1 h ago\nfeed kev: not loaded\n",
    );
  });

  it("shows why the last update of a feed failed", () => {
    const failures = [{ updater: "kev", failedAt: 0, code: "malformed_feed", message: "expected JSON,\nfound a page" }];

    const text = feedLines(feeds, { expected: [], failures, now: 201 * hour, maxAgeDays: 7 });

    expect(text).toContain("feed kev: the last update failed: expected JSON, found a page\n");
  });

  it("shows that none is loaded", () => {
    expect(feedLines([], { expected: ["debian"], failures: [], now: 0, maxAgeDays: 7 })).toBe(
      "feeds: none is loaded\n",
    );
  });
});

describe("jobFigures", () => {
  it("counts jobs by kind and state", () => {
    const counts = [
      { kind: "registry.send-mail", state: "dead", jobs: 2 },
      { kind: "registry.send-mail", state: "waiting", jobs: 1 },
    ] as const;

    expect(jobFigures(counts).split("\n").slice(2)).toEqual([
      'plimsoll_jobs{kind="registry.send-mail",state="dead"} 2',
      'plimsoll_jobs{kind="registry.send-mail",state="waiting"} 1',
      "",
    ]);
  });
});
