import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { archUpdater } from "./updater.ts";

const corpus = findCorpus();

describe.skipIf(corpus === undefined)("archUpdater", () => {
  it.each(["all.json", "archlinux.json"])("reads every group of %s", async (name) => {
    const text = readFileSync(`${corpus}/data/feeds/arch/excerpt/${name}`, "utf8");
    const groups = [...text.matchAll(/"AVG-\d+"/g)].map(([found]) => JSON.parse(found));

    const items = await itemsOf(archUpdater, feedReaderOf({ "": text }));

    const read = items.flatMap((item) => (item.kind === "item" ? [item.item.id.split("/")[1]] : []));
    expect(items.filter(({ kind }) => kind === "problem")).toEqual([]);
    expect([...new Set(read)]).toEqual(groups);
  });
});
