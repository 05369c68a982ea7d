import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import { feedParts } from "./feed-parts.ts";
import { feedReaderOf } from "./fixtures/feed-reader-of.ts";

const feeds = feedReaderOf({ "a.json": "1", "b.json": "2" });

/** Runs over parts as an updater does: those that are there. */
async function run(
  reader: FeedReader,
  names: readonly string[],
  { previous, revision = 1 }: { readonly previous?: string | undefined; readonly revision?: number } = {},
) {
  const parts = feedParts(reader, revision, previous);
  const found = await Promise.all(names.map((name) => parts.find(name)));
  return parts.finish(found.filter((part) => part !== undefined));
}

async function fingerprintOf(reader: FeedReader, names: readonly string[]): Promise<string | undefined> {
  return (await run(reader, names))?.fingerprint;
}

describe("feedParts", () => {
  it("gives the parts that are there", async () => {
    const changed = await run(feeds, ["a.json", "gone.json", "b.json"]);

    expect(changed?.parts.map(({ name, feed }) => [name, feed.kind])).toEqual([
      ["a.json", "document"],
      ["b.json", "document"],
    ]);
  });

  it.each([
    ["nothing changed", feeds, ["a.json", "b.json"], 1, true],
    [
      "a part came",
      feedReaderOf({ "a.json": "1", "b.json": "2", "c.json": "3" }),
      ["a.json", "b.json", "c.json"],
      1,
      false,
    ],
    ["a part went", feedReaderOf({ "a.json": "1" }), ["a.json", "b.json"], 1, false],
    ["a part changed", feedReaderOf({ "a.json": "1", "b.json": "new" }), ["a.json", "b.json"], 1, false],
    ["the parser changed", feeds, ["a.json", "b.json"], 2, false],
  ])("is unchanged only if nothing is: %s", async (_, reader, names, revision, unchanged) => {
    const previous = await fingerprintOf(feeds, ["a.json", "b.json"]);

    expect((await run(reader, names, { previous, revision })) === undefined).toBe(unchanged);
  });

  it("opens unchanged parts whole when another one has changed", async () => {
    const previous = await fingerprintOf(feeds, ["a.json", "b.json"]);
    const changed = await run(feedReaderOf({ "a.json": "1", "b.json": "new" }), ["a.json", "b.json"], { previous });

    expect(changed?.parts.map(({ feed }) => feed.kind)).toEqual(["document", "document"]);
  });

  it("refuses a feed that is always unchanged", async () => {
    const stuck: FeedReader = { open: async () => ({ kind: "unchanged" }) };

    await expect(run(stuck, ["a.json"])).rejects.toMatchObject({ code: "feed_unreachable" });
  });

  it("does not take an unreachable feed for one that is not there", async () => {
    const down: FeedReader = {
      open: async () => {
        throw new ScanError("feed_unreachable", "down");
      },
    };

    await expect(run(down, ["a.json"])).rejects.toMatchObject({ code: "feed_unreachable" });
  });

  it("throws for a part that must be there", async () => {
    await expect(feedParts(feeds, 1, undefined).get("gone.json")).rejects.toMatchObject({ code: "not_found" });
  });
});
