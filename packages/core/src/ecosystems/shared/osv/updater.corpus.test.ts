import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../../../model/advisory.ts";
import type { FeedItem, Update } from "../../../plugins.ts";
import { feedReaderOf } from "../fixtures/feed-reader-of.ts";
import { osvUpdater } from "./updater.ts";

const corpus = findCorpus();

describe.skipIf(corpus === undefined)("osvUpdater", () => {
  it.each([
    ["Go", 4134, 5887],
    ["crates.io", 1206, 1206],
    ["AlmaLinux", 5680, 71_329],
  ])("reads all of %s", async (ecosystem) => {
    const zip = readFileSync(`${corpus}/data/feeds/osv-full/${ecosystem}/osv-${ecosystem}-all.zip`);
    const t0 = performance.now();
    const update = await osvUpdater({ ecosystems: [ecosystem] }).update(feedReaderOf({ "": zip }));
    const items = await collect(update);
    console.log(ecosystem, items.length, performance.now() - t0);
    expect(items.filter(({ kind }) => kind === "problem")).toEqual([]);
    const ids = new Set(items.map((item) => item.kind === "item" && item.item.id));
    console.log(ids.size, JSON.stringify(items[5]));
  });
});

async function collect(update: Update<Advisory>): Promise<FeedItem<Advisory>[]> {
  return update.kind === "unchanged" ? [] : Array.fromAsync(update.items);
}
