import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { suseUpdater } from "./updater.ts";

const corpus = findCorpus();
const folder = `${corpus}/data/feeds/suse-cvrf/excerpt`;

/** The packages of releases that a document says are fixed, by its lines alone: products are named in words before a colon. */
function fixesIn(text: string): readonly string[] {
  const cve = /<CVE\s*>\s*(CVE-\d+-\d+)/.exec(text)?.[1];
  const status = /<Status Type="Fixed"[\s\S]*?<\/Status/.exec(text)?.[0] ?? "";
  const found = [...status.matchAll(/<ProductID\s*>\s*SUSE Linux Enterprise ([^:<]+?) (\d+)(?: SP(\d+))?:([^<]+)</g)];
  const released = found.filter(([, product = ""]) => /^(?:Server|Module for)/.test(product));
  return [
    ...new Set(released.map(([, , major, pack, build]) => `${cve} sles:${major}${pack ? `.${pack}` : ""} ${build}`)),
  ];
}

describe.skipIf(corpus === undefined)("suseUpdater over CVRF", () => {
  it("reads every fixed package of suse-cvrf/excerpt", async () => {
    const texts = readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")] as const);

    const items = await itemsOf(suseUpdater, feedReaderOf(Object.fromEntries(texts), { layout: "folder" }));

    const read = items.map((entry) => {
      if (entry.kind === "problem") return entry.message;
      const { name, ecosystem, packageName, ranges, normalizedSeverity } = entry.item;
      expect(normalizedSeverity).toMatch(/Medium|High/);
      return `${name} ${ecosystem} ${packageName}-${ranges[0]?.fixed}`;
    });
    expect(read.sort()).toEqual(texts.flatMap(([, text]) => fixesIn(text)).sort());
    expect(read).toHaveLength(25);
  });
});
