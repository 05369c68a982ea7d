import { gzipSync } from "node:zlib";
import { buildTar, makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import { type AdvisoryDatabase, databaseUpdater } from "./database-updater.ts";
import { feedReaderOf } from "./fixtures/feed-reader-of.ts";
import { itemsOf } from "./fixtures/items-of.ts";
import { malformedFeed } from "./malformed-feed.ts";

const bad = "bad";
const database: AdvisoryDatabase = {
  name: "sample",
  location: "https://example.org/all.tar.gz",
  scope: { partBytes: { npm: 0 } },
  revision: 1,
  wants: (name) => name.endsWith(".txt"),
  reader: () => (document) => {
    const text = new TextDecoder().decode(document.bytes);
    if (text === bad || text.startsWith("<")) throw malformedFeed(document.location, "expected words");
    return [{ kind: "item", item: { id: `${document.name}=${text}` } as Advisory }];
  },
};

const files = { "x/a.txt": "one", "x/b.md": "no", "x/c.txt": "two" };
const members = Object.entries(files).map(([name, content]) => ({ name, content }));
const tar = buildTar(...members);
const poisoned = [...members, { name: "x/d.txt", content: bad }, { name: "x/e.txt", content: "three" }];

async function idsOf(...given: Parameters<typeof feedReaderOf>): Promise<readonly string[]> {
  const items = await itemsOf(databaseUpdater(database), feedReaderOf(...given));
  return items.map((item) => (item.kind === "item" ? item.item.id : `${item.at}: problem`));
}

describe("databaseUpdater", () => {
  it.each([
    ["a zip archive", makeZip(files)],
    ["a tar archive", tar],
    ["a compressed tar archive", gzipSync(tar)],
  ])("reads the wanted documents of %s", async (_, archive) => {
    expect(await idsOf({ "": archive })).toEqual(["x/a.txt=one", "x/c.txt=two"]);
  });

  it("reads a folder of documents and archives", async () => {
    expect(
      await idsOf({ ...files, "all.tar.gz": gzipSync(tar), "y.zip": makeZip(files) }, { layout: "folder" }),
    ).toEqual(["x/a.txt=one", "x/c.txt=two", "x/a.txt=one", "x/c.txt=two", "x/a.txt=one", "x/c.txt=two"]);
  });

  it("reads one document, compressed or not", async () => {
    expect(await idsOf({ "": "one" })).toEqual(["memory=one"]);
    expect(await idsOf({ "": gzipSync("one") })).toEqual(["memory=one"]);
  });

  it.each([
    ["zip", makeZip(Object.fromEntries(poisoned.map(({ name, content }) => [name, content])))],
    ["tar", buildTar(...poisoned)],
  ])("reads the entries after a damaged one of a %s archive, and reports a problem", async (_, archive) => {
    expect(await idsOf({ "": archive })).toEqual([
      "x/a.txt=one",
      "x/c.txt=two",
      "memory: x/d.txt: problem",
      "x/e.txt=three",
    ]);
  });

  it.each([
    ["half of a tar archive", tar.subarray(0, 1300)],
    ["half of a compressed archive", gzipSync(tar).subarray(0, 60)],
    ["a zip archive without its end", makeZip(files).subarray(0, 80)],
    ["an archive of something else", makeZip({ "b.md": "no" })],
    ["a page", "<!doctype html><html></html>"],
  ])("refuses %s", async (_, content) => {
    await expect(idsOf({ "": content })).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it("is unchanged as long as the archive is", async () => {
    const updater = databaseUpdater(database);
    const first = await updater.update(feedReaderOf({ "": tar }));

    expect(await updater.update(feedReaderOf({ "": tar }), first.kind === "snapshot" ? first.fingerprint : "")).toEqual(
      {
        kind: "unchanged",
      },
    );
  });
});
