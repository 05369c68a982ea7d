import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { osvUpdater } from "./updater.ts";

const corpus = findCorpus();

function readFolder(folder: string): Record<string, Uint8Array> {
  const names = readdirSync(`${corpus}/data/feeds/${folder}`, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
  return Object.fromEntries(files.map((file) => [file.split(`/${folder}/`)[1] ?? file, readFileSync(file)]));
}

function readOne(path: string): Uint8Array {
  return readFileSync(`${corpus}/data/feeds/${path}`);
}

/** The advisories of a feed that has no problem. */
async function advisoriesOf(feeds: FeedReader, ...ecosystems: readonly string[]): Promise<readonly Advisory[]> {
  const items = await itemsOf(osvUpdater({ ecosystems }), feeds);
  expect(items.filter(({ kind }) => kind === "problem")).toEqual([]);
  return items.flatMap((item) => (item.kind === "item" ? item.item : []));
}

describe.skipIf(corpus === undefined)("osvUpdater", () => {
  it.each([
    ["Go", { advisories: 5815, records: 4125 }],
    ["crates.io", { advisories: 1193, records: 1193 }],
    ["AlmaLinux", { advisories: 59_678, records: 4440 }],
  ])("reads all of %s", async (ecosystem, counts) => {
    const zip = readOne(`osv-full/${ecosystem}/osv-${ecosystem}-all.zip`);

    const advisories = await advisoriesOf(feedReaderOf({ "": zip }), ecosystem);

    expect(new Set(advisories.map(({ id }) => id)).size).toBe(advisories.length);
    expect({ advisories: advisories.length, records: new Set(advisories.map(({ name }) => name)).size }).toEqual(
      counts,
    );
  });

  it("knows the modules of nearly every modular fix of AlmaLinux", async () => {
    const zip = readOne("osv-full/AlmaLinux/osv-AlmaLinux-all.zip");

    const advisories = await advisoriesOf(feedReaderOf({ "": zip }), "AlmaLinux");

    const modular = advisories.filter(({ ranges }) => ranges.some(({ fixed = "" }) => /\.module[+_]el/.test(fixed)));
    const unknown = modular.filter(({ module }) => module === undefined);
    expect(unknown.length / modular.length).toBeLessThan(0.01);
  });

  it("reads the archives of a bucket", async () => {
    const files = readFolder("osv-zip/small");
    const named = { Go: files["go/all.zip"], PyPI: files["python/all.zip"], "crates.io": files["rust/all.zip"] };
    const bucket = Object.entries(named).flatMap(([name, zip]) =>
      zip === undefined ? [] : [[`${name}/all.zip`, zip]],
    );

    const advisories = await advisoriesOf(feedReaderOf(Object.fromEntries(bucket)), "Go", "PyPI", "crates.io");

    expect(Object.groupBy(advisories, ({ ecosystem }) => ecosystem)).toMatchObject({
      Go: expect.arrayContaining([expect.objectContaining({ name: "GO-2020-0001" })]),
      PyPI: expect.arrayContaining([expect.objectContaining({ name: "PYSEC-2023-120" })]),
      "crates.io": expect.arrayContaining([expect.objectContaining({ name: "RUSTSEC-2016-0001" })]),
    });
  });

  it("reads Ubuntu's records, without what was withdrawn or is only for subscribers", async () => {
    const feeds = feedReaderOf(readFolder("ubuntu/osv"), { layout: "folder" });

    const advisories = await advisoriesOf(feeds, "Ubuntu");

    expect(new Set(advisories.map(({ name }) => name))).toEqual(
      new Set(["USN-5614-1", "UBUNTU-CVE-2026-1403", "UBUNTU-CVE-2016-20013", "UBUNTU-CVE-2021-3782"]),
    );
    expect(advisories.find(({ id }) => id === "osv/UBUNTU-CVE-2021-3782/ubuntu:18.04/wayland")).toMatchObject({
      aliases: ["CVE-2021-3782"],
      packageKind: "SOURCE",
      ranges: [{ fixed: "1.16.0-1ubuntu1.1~18.04.4" }],
      severity: "medium",
      normalizedSeverity: "Medium",
    });
  });

  it("reads advisories of GitHub and RustSec", async () => {
    const isRecord = (name: string) => name.endsWith(".osv.json") || /^(?:GHSA|RUSTSEC)-/.test(name);
    const records = Object.entries(readFolder("osv-excerpts/ghsa")).filter(([name]) => isRecord(name));
    const feeds = feedReaderOf(Object.fromEntries(records), { layout: "folder" });

    const advisories = await advisoriesOf(
      feeds,
      "npm",
      "Maven",
      "PyPI",
      "crates.io",
      "Go",
      "RubyGems",
      "NuGet",
      "Packagist",
    );

    expect(advisories.length).toBeGreaterThan(15);
    expect(advisories.every(({ ranges, versions }) => ranges.length + versions.length > 0)).toBe(true);
  });

  it.each([["osv-full/Go/osv-Go-all.zip"], ["osv-zip/small/go/all.zip"], ["ubuntu/osv/usn/USN-5614-1.json"]])(
    "refuses half of %s",
    async (path) => {
      const whole = readOne(path);
      const half = feedReaderOf({ "": whole.subarray(0, whole.length / 2) });

      await expect(advisoriesOf(half, "Go", "Ubuntu")).rejects.toMatchObject({ code: "malformed_feed" });
    },
  );
});
