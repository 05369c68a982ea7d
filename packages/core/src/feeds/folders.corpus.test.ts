import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { govulndbUpdater } from "./govulndb/updater.ts";
import { feedReaderOf } from "./shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "./shared/fixtures/items-of.ts";

const corpus = findCorpus();
const feeds = `${corpus}/data/feeds`;

/** Where the records of each folder are read and counted, or why no feed reads it. */
const folders: Readonly<Record<string, { readonly test: string } | { readonly notRead: string }>> = {
  "alma-errata/excerpt": { test: "distribution-feeds" },
  "alpine-secdb/excerpt": { test: "secdb/updaters" },
  "amazon-updateinfo/excerpt": { test: "amazon-updateinfo/updater" },
  "arch/excerpt": { test: "arch/updater" },
  "azurelinux-oval/azl3": { test: "oval/updater" },
  "bitnami-osv/excerpt": { test: "language-databases" },
  "cisa-kev/full": { test: "../enrichers/enrichers" },
  "cve5/records": { notRead: "records of CVE programs; their vectors are scored in model/cvss/score.corpus.test.ts" },
  "debian-tracker/excerpt-json": { test: "debian-tracker/updater" },
  "debian-tracker/git-form": { notRead: "the sources of the tracker's JSON document, which is what is read" },
  "eol/excerpt": { test: "../enrichers/enrichers" },
  "epss/excerpt": { test: "../enrichers/enrichers" },
  "fedora-bodhi/updates": {
    notRead:
      "a page of the interface that the repositories are made from: they have every stable security update as updateinfo.xml, with its packages",
  },
  "nodejs-security-wg/npm": { test: "language-databases" },
  "nvd-2.0/page": { test: "../enrichers/enrichers" },
  "nvd-cvss-feed/excerpt": { test: "../enrichers/enrichers" },
  "oracle-oval/excerpt": { test: "oval/updater" },
  "osv-excerpts/ghsa": { test: "osv/updater" },
  "osv-full/AlmaLinux": { test: "osv/updater" },
  "osv-full/Go": { test: "language-databases" },
  "osv-full/crates.io": { test: "language-databases" },
  "osv-index/govulndb-layout": { test: "folders" },
  "osv-native-yaml/PyPI-sample": { test: "language-databases" },
  "osv-zip/small": { test: "osv/updater" },
  "photon/json": { test: "photon-cve/updater" },
  "photon/oval-large": { test: "oval/updater" },
  "redhat-csaf-advisories/visible": { test: "redhat-vex/updater" },
  "redhat-oval/rhel8-large": { test: "redhat-vex/updater" },
  "redhat-oval/unpatched-small": { test: "redhat-vex/updater" },
  "redhat-vex/visible": { test: "redhat-vex/updater" },
  "rocky-updateinfo/excerpt": { test: "distribution-feeds" },
  "ruby-advisory-db/full": { test: "language-databases" },
  "suse-cvrf/excerpt": { notRead: "the same fixes as SUSE's OVAL, which is read" },
  "suse-oval/excerpt": { test: "oval/updater" },
  "ubuntu/osv": { test: "distribution-feeds" },
  "ubuntu/oval": { test: "distribution-feeds" },
  "ubuntu/vex": { test: "distribution-feeds" },
};

describe.skipIf(corpus === undefined)("samples of feeds", () => {
  it("are all read by a test, or are of a form that no feed reads", () => {
    const there = readdirSync(feeds).flatMap((name) => readdirSync(join(feeds, name)).map((each) => `${name}/${each}`));

    expect(there.sort()).toEqual(Object.keys(folders).sort());
  });

  it.each(Object.entries(folders).flatMap(([name, how]) => ("test" in how ? [[name, how.test] as const] : [])))(
    "%s: %s",
    (name, test) => {
      const path = join(import.meta.dirname, `${test}.corpus.test.ts`);
      const text = existsSync(path) ? readFileSync(path, "utf8") : "";

      expect(text.split("\n").filter((line) => line.includes(name.split("/")[0] ?? name))).not.toEqual([]);
    },
  );

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
