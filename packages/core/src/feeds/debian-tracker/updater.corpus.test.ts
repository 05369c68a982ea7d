import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf as updaterItems } from "../shared/fixtures/items-of.ts";
import { debianTrackerUpdater } from "./updater.ts";

const corpus = findCorpus();

function readExcerpt(): Uint8Array {
  return readFileSync(`${corpus}/data/feeds/debian-tracker/excerpt-json/debian.json`);
}

function itemsOf(document: Uint8Array) {
  return updaterItems(debianTrackerUpdater, feedReaderOf({ "": document }));
}

interface Release {
  readonly status: string;
  readonly fixed_version?: string;
}
type Tracker = Record<string, Record<string, { readonly releases: Record<string, Release> }>>;

describe.skipIf(corpus === undefined)("debianTrackerUpdater", () => {
  it("makes one advisory of every release of the excerpt", async () => {
    const tracker = JSON.parse(new TextDecoder().decode(readExcerpt())) as Tracker;
    const stated = Object.entries(tracker).flatMap(([source, names]) =>
      Object.entries(names).flatMap(([name, { releases }]) =>
        Object.entries(releases).map(([codeName, { status, fixed_version }]) => ({
          name,
          source,
          codeName,
          statement: status === "resolved" ? (fixed_version ?? "") : status,
        })),
      ),
    );

    const items = await itemsOf(readExcerpt());

    const codeNames: Readonly<Record<string, string>> = {
      "8": "jessie",
      "9": "stretch",
      "10": "buster",
      "11": "bullseye",
      "12": "bookworm",
      "13": "trixie",
    };
    const read = items.flatMap((item) => {
      if (item.kind === "problem" || /\/(?:newer|other)$/.test(item.item.id)) return [];
      const { name, packageName, ecosystem, status, ranges } = item.item;
      const version = ecosystem.split(":")[1] ?? "";
      const statement = { "not-affected": "0", undetermined: status, affected: ranges[0]?.fixed ?? "open" }[status];
      return [{ name, source: packageName, codeName: codeNames[version] ?? version, statement }];
    });
    expect(read).toEqual(stated);
    expect(read.length).toBeGreaterThan(10);
  });

  it("refuses half of it", async () => {
    const whole = readExcerpt();

    await expect(itemsOf(whole.subarray(0, whole.length / 2))).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
