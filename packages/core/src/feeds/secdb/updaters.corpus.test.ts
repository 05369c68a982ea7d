import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf as updaterItems } from "../shared/fixtures/items-of.ts";
import { alpineSecdbUpdater } from "./updaters.ts";

const corpus = findCorpus();

function readExcerpts(): Record<string, Uint8Array> {
  const folder = `${corpus}/data/feeds/alpine-secdb/excerpt`;
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`)]));
}

function itemsOf(documents: Record<string, Uint8Array>) {
  return updaterItems(alpineSecdbUpdater, feedReaderOf(documents, { layout: "folder" }));
}

describe.skipIf(corpus === undefined)("alpineSecdbUpdater", () => {
  it("reads the excerpts by what the documents say of themselves", async () => {
    const items = await itemsOf(readExcerpts());

    const read = items.map((item) => item.kind === "item" && item.item);
    expect(read).not.toContain(false);
    expect(read).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ecosystem: "alpine:3.11",
          packageName: "apache2",
          name: "CVE-2018-8011",
          ranges: [{ fixed: "2.4.34-r0" }],
        }),
        expect.objectContaining({ ecosystem: "alpine:edge", packageName: "apk-tools", name: "CVE-2021-36159" }),
        expect.objectContaining({ ecosystem: "alpine:3.10", packageName: "botan", name: "CVE-2018-20187" }),
      ]),
    );
  });

  it("refuses half of any of them, by its name", async () => {
    for (const [name, whole] of Object.entries(readExcerpts())) {
      const half = itemsOf({ ...readExcerpts(), [name]: whole.subarray(0, whole.length / 2) });

      await expect(half).rejects.toMatchObject({ code: "malformed_feed", message: expect.stringContaining(name) });
    }
  });
});
