import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../model/advisory.ts";
import type { FeedReader } from "../plugins/feed.ts";
import type { Updater } from "../plugins/updater.ts";
import { almaUpdater } from "./alma-errata/updater.ts";
import { feedReaderOf } from "./shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "./shared/fixtures/items-of.ts";
import { ubuntuUpdater } from "./ubuntu/updater.ts";
import { rockyUpdater } from "./updateinfo/vendors.ts";

const corpus = findCorpus();

const bytesOf = (path: string) => readFileSync(`${corpus}/data/feeds/${path}`);

/** The advisories of a feed without any problem. */
async function advisoriesOf(updater: Updater, feeds: FeedReader): Promise<readonly Advisory[]> {
  const items = await itemsOf(updater, feeds);
  expect(items.filter(({ kind }) => kind === "problem")).toEqual([]);
  return items.flatMap((item) => (item.kind === "item" ? item.item : []));
}

function readFolder(folder: string): Record<string, Uint8Array> {
  const names = readdirSync(`${corpus}/data/feeds/${folder}`, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.filter((name) => /\.json$/.test(name)).map((name) => [name, bytesOf(`${folder}/${name}`)]),
  );
}

describe.skipIf(corpus === undefined)("feeds of distributions", () => {
  it("alma: every build of every security erratum, with its module", async () => {
    const path = "alma-errata/excerpt/errata.json";
    const advisories = await advisoriesOf(almaUpdater, feedReaderOf({ "": bytesOf(path) }));
    const parts = bytesOf(path).toString("utf8").split('"updateinfo_id": ').slice(1);
    const builds = parts.flatMap((part) => {
      if (!part.startsWith('"ALSA')) return [];
      const files = part.matchAll(/"filename": "([^"]+)\.(?!src)[^."]+\.rpm"/g);
      return [...new Set([...files].map(([, file]) => file))];
    });

    expect(
      advisories.map(({ packageName, ranges }) => `${packageName}-${ranges[0]?.fixed?.replace(/^\d+:/, "")}`).sort(),
    ).toEqual(builds.sort());
    expect(new Set(advisories.map(({ ecosystem }) => ecosystem))).toEqual(new Set(["almalinux:8"]));
    expect(new Set(advisories.map(({ module }) => module))).toEqual(new Set([undefined, "virt:rhel"]));
  });

  it("rocky: every build of every security update", async () => {
    const path = "rocky-updateinfo/excerpt/updateinfo.xml";
    const advisories = await advisoriesOf(rockyUpdater, feedReaderOf({ "": bytesOf(path) }));
    const updates = bytesOf(path).toString("utf8").split("<update ").slice(1);
    const builds = updates.flatMap((update) => {
      const isSecurity = /type="security"/.test(update) || /id="CVE-/.test(update);
      const files = isSecurity ? [...update.matchAll(/<filename>(.*)\.(?!src)[^.]+\.rpm<\/filename>/g)] : [];
      return [...new Set(files.map(([, file]) => file))];
    });

    expect(
      advisories.map(({ packageName, ranges }) => `${packageName}-${ranges[0]?.fixed?.replace(/^\d+:/, "")}`).sort(),
    ).toEqual(builds.sort());
  });

  it("ubuntu: every entry of records that stand, for plain releases and for services", async () => {
    const files = readFolder("ubuntu/osv");
    const advisories = await advisoriesOf(ubuntuUpdater, feedReaderOf(files, { layout: "folder" }));
    const standing = Object.values(files)
      .map((bytes) => Buffer.from(bytes).toString("utf8"))
      .filter((text) => !/"withdrawn":/.test(text));
    const count = (pattern: RegExp) => standing.flatMap((text) => text.match(pattern) ?? []).length;

    const services = advisories.filter(({ ecosystem }) => /:esm-/.test(ecosystem));
    expect(services).toHaveLength(count(/"ecosystem": "Ubuntu:Pro:[\d.]+:LTS",\s*"name"/g));
    expect(advisories.length - 2 * services.length).toBe(count(/"ecosystem": "Ubuntu:[\d.]+(?::LTS)?",\s*"name"/g));
  });

  it("ubuntu: every source that VEX says is not affected", async () => {
    const files = readFolder("ubuntu/vex");
    const advisories = await advisoriesOf(ubuntuUpdater, feedReaderOf(files, { layout: "folder" }));
    const statements = Object.values(files).flatMap((bytes) =>
      Buffer.from(bytes).toString("utf8").split('"vulnerability": ').slice(1),
    );
    const wanted = statements.filter((text) => /"not_affected"/.test(text) && !/component_not_present/.test(text));
    const sources = wanted.flatMap((text) => text.match(/arch=source&distro=[^"]+/g) ?? []);

    expect(advisories).toHaveLength(sources.length);
    expect(sources.length).toBeGreaterThan(0);
    expect(new Set(advisories.map(({ status }) => status))).toEqual(new Set(["not-affected"]));
  });

  it("ubuntu: every package of a state or of none that OVAL's criteria name", async () => {
    const path = "ubuntu/oval/fetcher_ubuntu_test.xml";
    const advisories = await advisoriesOf(ubuntuUpdater, feedReaderOf({ "": bytesOf(path) }));
    const text = bytesOf(path).toString("utf8");
    const packages = [...text.matchAll(/<linux-def:dpkginfo_object id="([^"]+)"[^>]*>\s*<linux-def:name>([^<]+)</g)];
    const stated = packages.map(([, id = "", name]) => {
      const state = id.replace(":obj:", ":ste:");
      return `${name} ${text.split(`_state id="${state}"`)[1]?.match(/less than">([^<]+)</)?.[1]}`;
    });

    expect(advisories.map(({ packageName, ranges }) => `${packageName} ${ranges[0]?.fixed}`)).toEqual(stated);
    expect(stated).toEqual(["cabextract undefined", "libmspack0 0.4-3"]);
    expect(new Set(advisories.map(({ name, ecosystem }) => `${name} ${ecosystem}`))).toEqual(
      new Set(["CVE-2015-4471 ubuntu:16.04"]),
    );
  });

  it.each([
    [almaUpdater, "alma-errata/excerpt/errata.json"],
    [rockyUpdater, "rocky-updateinfo/excerpt/updateinfo.xml"],
  ])("$name refuses half of its document", async (updater, path) => {
    const whole = bytesOf(path);
    const half = feedReaderOf({ "": whole.subarray(0, whole.length / 2) });

    await expect(itemsOf(updater, half)).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
