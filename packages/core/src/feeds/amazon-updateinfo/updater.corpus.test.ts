import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { amazonUpdater } from "./updater.ts";

const corpus = findCorpus();

/** Names of the packages' files, one for each architecture: another way than by attributes. */
function filesOf(path: string): string[] {
  const text = execFileSync("zcat", ["-f", path], { maxBuffer: 2 ** 28 }).toString();
  const updates = text.split("<update ").slice(1);
  return updates
    .flatMap((update) => {
      const id = /<id>(.*?)<\/id>/.exec(update)?.[1];
      return [...update.matchAll(/<filename>Packages\/(.*?)\.rpm<\/filename>/g)].map(([, file]) => `${id} ${file}`);
    })
    .sort();
}

describe.skipIf(corpus === undefined)("amazonUpdater", () => {
  it.each([
    ["amazon_linux_2_updateinfo.xml", "amzn:2"],
    ["updateinfo_2_items.xml.gz", "amzn:2"],
    ["updateinfo_AL2023.xml.gz", "amzn:2023"],
  ])("reads all of %s", async (name, ecosystem) => {
    const path = `${corpus}/data/feeds/amazon-updateinfo/excerpt/${name}`;
    const items = await itemsOf(amazonUpdater, feedReaderOf({ "": readFileSync(path) }));

    const read = items.flatMap((item) => {
      if (item.kind === "problem") return [item.message];
      const { name: id, packageName, ranges, arch } = item.item;
      const version = ranges[0]?.fixed?.replace(/^\d+:/, "");
      return (arch?.value ?? "").split("|").map((each) => `${id} ${packageName}-${version}.${each}`);
    });
    expect(read.sort()).toEqual(filesOf(path));
    expect(new Set(items.map((item) => (item.kind === "item" ? item.item.ecosystem : "")))).toEqual(
      new Set([ecosystem]),
    );
  });
});
