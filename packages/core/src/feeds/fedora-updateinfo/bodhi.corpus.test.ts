import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { fedoraUpdater } from "./updater.ts";

const corpus = findCorpus();
const path = `${corpus}/data/feeds/fedora-bodhi/updates/F36-updates.json.1`;

describe.skipIf(corpus === undefined)("fedoraUpdater over pages of Bodhi", () => {
  it.each(["", "F36-updates.json.1"])("reads every build of fedora-bodhi/updates, named %j", async (name) => {
    const text = readFileSync(path, "utf8");
    const builds = [
      ...text.matchAll(/\{"nvr": "([^"]+)", "signed": \w+, "release_id": \d+, "type": "rpm", "epoch": (\d+)\}/g),
    ];

    const items = await itemsOf(fedoraUpdater, feedReaderOf({ [name]: text }, { layout: "folder" }));

    const read = items.flatMap((entry) => (entry.kind === "item" ? [entry.item] : []));
    expect(read.map(({ packageName, ranges }) => `${packageName}-${ranges[0]?.fixed}`).sort()).toEqual(
      builds
        .map(([, nvr = "", epoch]) => (epoch === "0" ? nvr : nvr.replace(/-([^-]+-[^-]+)$/, `-${epoch}:$1`)))
        .sort(),
    );
    expect(read).toHaveLength(117);
    expect(new Set(read.map((advisory) => advisory.name)).size).toBe(text.match(/"alias": "FEDORA-/g)?.length);
    expect(new Set(read.map(({ ecosystem }) => ecosystem))).toEqual(new Set(["fedora:36"]));
    const cves = new Set(text.match(/CVE-\d{4}-\d{4,}\b/g));
    for (const { aliases } of read) for (const alias of aliases) expect(cves).toContain(alias);
  });

  it("says that a page alone is not all", async () => {
    const items = await itemsOf(fedoraUpdater, feedReaderOf({ "": readFileSync(path) }));

    expect(items.filter(({ kind }) => kind === "problem")).toMatchObject([
      { message: "expected 227 updates as its total states, found 100: give a folder with all pages" },
    ]);
  });
});
