import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { FeedReader } from "../../plugins/feed.ts";
import type { Updater } from "../../plugins/updater.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { suseUpdater } from "../suse-oval/updater.ts";
import { ovalDefinition, ovalDocument } from "./fixtures/oval-document.ts";
import { azurelinuxUpdater, oracleUpdater, photonUpdater } from "./vendors.ts";

/** A document that says that zlib is affected where a release is installed. */
function documentOf(comment: string, fixed = "2-1", metadata?: string): string {
  const criteria = `<criterion test_ref="tst(release)" comment="${comment}"/><criterion test_ref="tst(less)"/>`;
  return ovalDocument({
    tests: {
      release: { name: "sample-release", state: "<version>8</version>" },
      less: { state: `<evr operation="less than">${fixed}</evr>` },
    },
    definitions: [ovalDefinition(criteria, metadata)],
  });
}

async function ecosystemsOf(updater: Updater, feeds: FeedReader): Promise<string[]> {
  const items = await itemsOf(updater, feeds);
  return items.map((item) => (item.kind === "item" ? item.item.ecosystem : item.message));
}

const page = (...names: string[]) =>
  `<!DOCTYPE html>\n<html><body>${names.map((name) => `<a href="${name}">${name}</a>`).join("")}</body></html>`;

describe("updaters of OVAL", () => {
  it.each([
    ["a document", { "": "\n[{}]" }],
    ["a folder", { "cve_data_photon5.0.json": "[{}]" }],
  ])("name the feed that reads %s of Photon OS in JSON", async (_, files) => {
    const feeds = feedReaderOf(files, { layout: "" in files ? undefined : "folder" });

    await expect(itemsOf(photonUpdater, feeds)).rejects.toThrow("the feed photon-cve reads the JSON documents");
  });

  it.each<[Updater, string, string[]]>([
    [oracleUpdater, "Oracle Linux 8 is installed", ["ol:8"]],
    [oracleUpdater, "Oracle VM 3 is installed", []],
    [photonUpdater, "Photon OS 3 is installed", ["photon:3.0"]],
    [photonUpdater, "Photon OS 5.0 is installed", ["photon:5.0"]],
    [suseUpdater, "SUSE Linux Enterprise Server 15 SP5 is installed", ["sles:15.5"]],
    [suseUpdater, "SUSE Linux Enterprise Server 12 is installed", ["sles:12"]],
    [suseUpdater, "SUSE Linux Enterprise Module for Basesystem 15 SP3 is installed", ["sles:15.3"]],
    [suseUpdater, "SUSE Linux Enterprise Micro 5.3 is installed", ["sle-micro:5.3"]],
    [suseUpdater, "SUSE Linux Micro 6.1 is installed", ["sle-micro:6.1"]],
    [suseUpdater, "openSUSE Leap 15.5 is installed", ["opensuse-leap:15.5"]],
    [suseUpdater, "openSUSE Tumbleweed is installed", ["opensuse-tumbleweed"]],
    [suseUpdater, "SUSE Linux Enterprise Desktop 15 is installed", []],
    [suseUpdater, "SUSE Manager Server 4.3 is installed", []],
  ])("$name: %s", async (updater, comment, ecosystems) => {
    expect(await ecosystemsOf(updater, feedReaderOf({ "": documentOf(comment) }))).toEqual(ecosystems);
  });

  it.each([
    ["0:2.6.7-3.azl3", ["azurelinux:3.0"]],
    ["0:2.6.7-3.azl4", ["azurelinux:4.0"]],
    ["0:1.1.1k-5.cm2", ["mariner:2.0"]],
    ["0:1.1.1k-5.cm1", ["mariner:1.0"]],
    ["0:1.1.1k-5", []],
  ])("azurelinux: fixed in %s", async (fixed, ecosystems) => {
    expect(await ecosystemsOf(azurelinuxUpdater, feedReaderOf({ "": documentOf("x", fixed) }))).toEqual(ecosystems);
  });

  it.each([
    ["<patchable>true</patchable>", "affected", [{ fixed: "2-1.azl3" }]],
    ["<patchable>Not Applicable</patchable>", "not-affected", [{}]],
  ])("azurelinux: %s", async (patchable, status, ranges) => {
    const metadata = `<title>CVE-2024-0001 affecting package zlib</title>${patchable}<severity>High</severity><advisory_date>2024-07-23T22:05:39Z</advisory_date>`;
    const items = await itemsOf(azurelinuxUpdater, feedReaderOf({ "": documentOf("x", "0:2-1.azl3", metadata) }));

    const issuedAt = Date.UTC(2024, 6, 23, 22, 5, 39);
    expect(items).toMatchObject([
      { item: { status, ranges, packageKind: "SOURCE", normalizedSeverity: "High", issuedAt } },
    ]);
  });

  const oracle = (release: number) => documentOf(`Oracle Linux ${release} is installed`);
  it.each<[string, Updater, Record<string, string | Uint8Array>, string[]]>([
    [
      "a year each, with a gap",
      oracleUpdater,
      { "com.oracle.elsa-2008.xml.bz2": gzipSync(oracle(5)), "com.oracle.elsa-2009.xml.bz2": oracle(6) },
      ["ol:5", "ol:6"],
    ],
    [
      "behind a page",
      oracleUpdater,
      { "": page("com.oracle.elsa-2007.xml.bz2"), "com.oracle.elsa-2007.xml.bz2": oracle(4) },
      ["ol:4"],
    ],
    [
      "a release each",
      photonUpdater,
      {
        "com.vmware.phsa-photon1.xml": documentOf("Photon OS 1 is installed"),
        "com.vmware.phsa-photon3.xml": documentOf("Photon OS 3 is installed"),
      },
      ["photon:1.0", "photon:3.0"],
    ],
    [
      "beside the location",
      azurelinuxUpdater,
      { "": documentOf("x", "2-1.azl3"), "cbl-mariner-2.0-oval.xml": documentOf("x", "2-1.cm2") },
      ["azurelinux:3.0", "mariner:2.0"],
    ],
    [
      "named by an index page",
      suseUpdater,
      {
        "": page("suse.linux.enterprise.server.15.xml.gz", "./opensuse.leap.15.5-affected.xml.gz"),
        "suse.linux.enterprise.server.15.xml.gz": gzipSync(documentOf("SUSE Linux Enterprise Server 15 is installed")),
        "opensuse.leap.15.5-affected.xml.gz": gzipSync(documentOf("openSUSE Leap 15.5 is installed")),
      },
      ["opensuse-leap:15.5", "sles:15"],
    ],
  ])("finds documents: %s", async (_, updater, documents, ecosystems) => {
    expect(await ecosystemsOf(updater, feedReaderOf(documents))).toEqual(ecosystems);
  });

  it.each<[string, Updater, Record<string, string>]>([
    ["no year", oracleUpdater, {}],
    ["no release", photonUpdater, { "": page() }],
    ["an index page of something else", suseUpdater, { "": page("README") }],
  ])("says so when there is nothing: %s", async (_, updater, documents) => {
    await expect(itemsOf(updater, feedReaderOf(documents))).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it("is unchanged when the documents that a page names are", async () => {
    const name = "suse.linux.enterprise.server.15.xml.gz";
    const document = gzipSync(documentOf("SUSE Linux Enterprise Server 15 is installed"));
    const first = await suseUpdater.update(feedReaderOf({ "": page(name), [name]: document }));
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;
    const again = (documents: Record<string, string | Uint8Array>) =>
      suseUpdater.update(feedReaderOf(documents), fingerprint);

    expect(await again({ "": `${page(name)}<!-- now -->`, [name]: document })).toEqual({ kind: "unchanged" });
    expect(await again({ "": page(name), [name]: gzipSync(documentOf("other")) })).toMatchObject({ kind: "snapshot" });
  });
});
