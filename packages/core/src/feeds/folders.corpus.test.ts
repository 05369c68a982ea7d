import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { govulndbUpdater } from "./osv/databases.ts";
import { feedReaderOf } from "./shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "./shared/fixtures/items-of.ts";

const corpus = findCorpus();
const feeds = `${corpus}/data/feeds`;

/** Where the records of each folder are read and counted. */
const folders: Readonly<Record<string, string>> = {
  "alma-errata/excerpt": "distribution-feeds",
  "alpine-secdb/excerpt": "secdb/updaters",
  "amazon-updateinfo/excerpt": "amazon-updateinfo/updater",
  "arch/excerpt": "arch/updater",
  "azurelinux-oval/azl3": "oval/updater",
  "bitnami-osv/excerpt": "language-databases",
  "cisa-kev/full": "../enrichers/enrichers",
  "cve5/records": "../enrichers/enrichers",
  "debian-tracker/excerpt-json": "debian-tracker/updater",
  "debian-tracker/git-form": "debian-tracker/git/items",
  "eol/excerpt": "../enrichers/enrichers",
  "epss/excerpt": "../enrichers/enrichers",
  "fedora-bodhi/updates": "fedora-updateinfo/bodhi",
  "nodejs-security-wg/npm": "language-databases",
  "nvd-2.0/page": "../enrichers/enrichers",
  "nvd-cvss-feed/excerpt": "../enrichers/enrichers",
  "oracle-oval/excerpt": "oval/updater",
  "osv-excerpts/ghsa": "osv/updater",
  "osv-full/AlmaLinux": "osv/updater",
  "osv-full/Go": "language-databases",
  "osv-full/crates.io": "language-databases",
  "osv-index/govulndb-layout": "folders",
  "osv-native-yaml/PyPI-sample": "language-databases",
  "osv-zip/small": "osv/updater",
  "photon/json": "photon-cve/updater",
  "photon/oval-large": "oval/updater",
  "redhat-csaf-advisories/visible": "redhat-vex/updater",
  "redhat-oval/rhel8-large": "redhat-vex/updater",
  "redhat-oval/unpatched-small": "redhat-vex/updater",
  "redhat-vex/visible": "redhat-vex/updater",
  "rocky-updateinfo/excerpt": "distribution-feeds",
  "ruby-advisory-db/full": "language-databases",
  "suse-cvrf/excerpt": "suse-oval/cvrf",
  "suse-oval/excerpt": "oval/updater",
  "ubuntu/osv": "distribution-feeds",
  "ubuntu/oval": "distribution-feeds",
  "ubuntu/vex": "distribution-feeds",
};

describe.skipIf(corpus === undefined)("samples of feeds", () => {
  it("are all read by a test", () => {
    const there = readdirSync(feeds).flatMap((name) => readdirSync(join(feeds, name)).map((each) => `${name}/${each}`));

    expect(there.sort()).toEqual(Object.keys(folders).sort());
  });

  it.each(Object.entries(folders))("%s: %s", (name, test) => {
    const path = join(import.meta.dirname, `${test}.corpus.test.ts`);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";

    expect(text.split("\n").filter((line) => line.includes(name.split("/")[0] ?? name))).not.toEqual([]);
  });

  it("govulndb reads the records of the database's layout and not its index", async () => {
    const folder = join(feeds, "osv-index/govulndb-layout/vulndb");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
    const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
    const items = await itemsOf(govulndbUpdater, feedReaderOf(Object.fromEntries(texts), { layout: "folder" }));
    const packages = [...texts].flatMap(([name, text]) => {
      if (!name.startsWith("ID/")) return [];
      const id = /"id": *"(GO-[\d-]+)"/.exec(text)?.[1];
      const listed = [...text.matchAll(/"package": *\{\s*"name": *"([^"]+)"/g)].map(([, found]) => found);
      return [...new Set(listed)].map((found) => `${id} ${found}`);
    });

    expect(items.map((item) => item.kind === "item" && `${item.item.name} ${item.item.packageName}`).sort()).toEqual(
      packages.sort(),
    );
    expect(packages.length).toBeGreaterThanOrEqual(2);
  });
});
