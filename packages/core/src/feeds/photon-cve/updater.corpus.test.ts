import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { photonCveUpdater } from "./updater.ts";

const corpus = findCorpus();
const folder = `${corpus}/data/feeds/photon/json`;

describe.skipIf(corpus === undefined)("photonCveUpdater", () => {
  it("reads every record of photon/json", async () => {
    const texts = readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")] as const);
    const expected = texts.flatMap(([name, text]) => {
      const [, release] = /photon(\d\.0)\.json$/.exec(name) ?? [];
      const values = (member: string) =>
        [...text.matchAll(new RegExp(`"${member}": "([^"]+)"`, "g"))].map(([, value]) => value);
      const [packages, fixes] = [values("pkg"), values("res_ver")];
      return values("cve_id").map((cve, index) => `${cve} ${release} ${packages[index]} ${fixes[index]}`);
    });

    const items = await itemsOf(photonCveUpdater, feedReaderOf(Object.fromEntries(texts), { layout: "folder" }));

    const read = items.map((entry) => {
      if (entry.kind === "problem") return entry.message;
      const { name, ecosystem, packageName, ranges } = entry.item;
      return `${name} ${ecosystem.slice(7)} ${packageName} ${ranges[0]?.fixed}`;
    });
    expect(read.sort()).toEqual(expected.sort());
    expect(read).toHaveLength(10);
  });
});
