import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { photonCveUpdater } from "./updater.ts";

const record = {
  cve_id: "CVE-2015-8863",
  pkg: "jq",
  cve_score: 9.8,
  aff_ver: "all versions before 1.5-3.ph2 are vulnerable",
  res_ver: "1.5-3.ph2",
};
const listOf = (...records: readonly unknown[]) => JSON.stringify(records);
const read = (documents: Readonly<Record<string, string>>, layout?: "folder") =>
  itemsOf(photonCveUpdater, feedReaderOf(documents, layout && { layout }));
const ofTwo = (...records: readonly unknown[]) => read({ "cve_data_photon2.0.json": listOf(...records) }, "folder");
const page = "<!DOCTYPE html><html><body>Index</body></html>";

describe("photonCveUpdater", () => {
  it("makes an advisory of a record, about a source package", async () => {
    expect(await ofTwo(record)).toEqual([
      {
        kind: "item",
        item: {
          id: "photon-cve/CVE-2015-8863/photon:2.0/jq/1.5-3.ph2",
          updater: "photon-cve",
          name: "CVE-2015-8863",
          aliases: [],
          ecosystem: "photon:2.0",
          packageName: "jq",
          packageKind: "SOURCE",
          status: "affected",
          ranges: [{ fixed: "1.5-3.ph2" }],
          versions: [],
          links: ["https://nvd.nist.gov/vuln/detail/CVE-2015-8863"],
          severity: "9.8",
          normalizedSeverity: "Critical",
        },
      },
    ]);
  });

  it.each([
    ["has no fix", { res_ver: "NA" }, { status: "affected", ranges: [{}] }],
    ["names no fix", { res_ver: "" }, { status: "affected", ranges: [{}] }],
    ["says that nothing is affected", { status: "Not Affected" }, { status: "not-affected", ranges: [{}] }],
    ["says that it is fixed", { status: "Fixed" }, { status: "affected", ranges: [{ fixed: "1.5-3.ph2" }] }],
    ["has no score", { cve_score: null }, { normalizedSeverity: "Unknown" }],
  ])("reads a record that %s", async (_, changed, expected) => {
    expect(await ofTwo({ ...record, ...changed })).toMatchObject([{ item: expected }]);
  });

  it.each([
    ["of a number", 7],
    ["without a package", { ...record, pkg: undefined }],
    ["with a version that is no text", { ...record, res_ver: 7 }],
    ["with a score that is none", { ...record, cve_score: 11 }],
  ])("makes a problem of a record %s, and reads the others", async (_, damaged) => {
    expect((await ofTwo(damaged, record)).map(({ kind }) => kind)).toEqual(["problem", "item"]);
  });

  it("reads the documents that the site's list names", async () => {
    const site = {
      "": page,
      "photon_versions.json": '{"branches": ["2.0", "5.0"]}',
      "cve_data_photon2.0.json": listOf(record),
      "cve_data_photon5.0.json": listOf({ ...record, res_ver: "1.7-1.ph5" }),
    };
    const items = await read(site);
    const first = await photonCveUpdater.update(feedReaderOf(site));

    expect(items).toMatchObject([{ item: { ecosystem: "photon:2.0" } }, { item: { ecosystem: "photon:5.0" } }]);
    if (first.kind !== "snapshot") throw new Error(`unexpected ${first.kind}`);
    expect(await photonCveUpdater.update(feedReaderOf(site), first.fingerprint)).toEqual({ kind: "unchanged" });
  });

  it("knows the release of a document with another name by the versions in it", async () => {
    const items = await read({ "": listOf(record, { ...record, res_ver: "NA" }) });

    expect(items).toMatchObject([{ item: { ecosystem: "photon:2.0" } }, { kind: "problem" }]);
  });

  it.each([
    ["no document", { "photon_versions.json": '{"branches": []}' }],
    ["a list of nothing", { "": page, "photon_versions.json": "{}" }],
    ["a list that is too large", { "": page, "photon_versions.json": `{"branches": ["2.0"]}${" ".repeat(64 * 1024)}` }],
    ["an object", { "": "{}" }],
    ["text that breaks off", { "": "[" }],
  ])("refuses %s", async (_, documents) => {
    await expect(read(documents)).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it("says so where the list names a release that is not there", async () => {
    const documents = { "": page, "photon_versions.json": '{"branches": ["9.0"]}' };

    await expect(read(documents)).rejects.toMatchObject({ code: "not_found" });
  });
});
