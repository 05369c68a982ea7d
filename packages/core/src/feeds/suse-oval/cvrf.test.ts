import { buildTar } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { suseUpdater } from "./updater.ts";

const update = (product: string, build = "zlib-1.2-3.4.1", status = "Fixed") => `<?xml version="1.0"?>
  <cvrfdoc xmlns="http://www.icasi.org/CVRF/schema/cvrf/1.1"><DocumentTracking><Identification><ID>SUSE-SU-2024:1-1</ID></Identification>
  <InitialReleaseDate>2024-01-02T03:04:05Z</InitialReleaseDate></DocumentTracking>
  <DocumentReferences><Reference Type="Self"><URL>https://suse.example/1</URL></Reference></DocumentReferences>
  <ProductTree><Relationship ProductReference="${build}" RelatesToProductReference="${product}">
    <FullProductName ProductID="${product}:${build}">x</FullProductName></Relationship></ProductTree>
  <Vulnerability><Notes><Note>an overflow</Note></Notes><CVE>CVE-2024-0001</CVE>
    <ProductStatuses><Status Type="${status}"><ProductID>${product}:${build}</ProductID></Status></ProductStatuses>
    <Threats><Threat Type="Impact"><Description>important</Description></Threat></Threats>
    <References><Reference><URL>https://suse.example/cve</URL></Reference></References></Vulnerability></cvrfdoc>`;

const fix = {
  kind: "item",
  item: {
    id: "suse/CVE-2024-0001/SUSE-SU-2024:1-1/sles:15.5/zlib/1.2-3.4.1",
    updater: "suse",
    name: "CVE-2024-0001",
    aliases: [],
    ecosystem: "sles:15.5",
    packageName: "zlib",
    packageKind: "BINARY",
    status: "affected",
    ranges: [{ fixed: "1.2-3.4.1" }],
    versions: [],
    description: "an overflow",
    issuedAt: Date.UTC(2024, 0, 2, 3, 4, 5),
    links: ["https://suse.example/1", "https://suse.example/cve"],
    severity: "important",
    normalizedSeverity: "High",
  },
};

const server = "SUSE Linux Enterprise Server 15 SP5";

describe("suseUpdater over CVRF", () => {
  it("makes an advisory of a fixed package of a release", async () => {
    expect(await itemsOf(suseUpdater, feedReaderOf({ "": update(server) }))).toEqual([fix]);
  });

  it.each([
    ["a product that no image is matched with", update("SUSE Manager 4.3")],
    ["a package that is not stated to be fixed", update(server, "zlib-1.2-3.4.1", "Known Affected")],
  ])("leaves out %s", async (_, document) => {
    expect(await itemsOf(suseUpdater, feedReaderOf({ "": document }))).toEqual([]);
  });

  it.each([
    ["a package without a release", update(server, "zlib"), '"zlib", expected name-version-release'],
    [
      "a product that the tree lacks",
      update(server).replace("<ProductTree>", "<ProductTree/><x>").replace("</ProductTree>", "</x>"),
      "which is not in the product tree",
    ],
  ])("loses %s", async (_, document, message) => {
    expect(await itemsOf(suseUpdater, feedReaderOf({ "": document }))).toMatchObject([
      { kind: "problem", message: expect.stringContaining(message) },
    ]);
  });

  it("reads an archive, and loses one document of it that is none", async () => {
    const archive = buildTar(
      { name: "cvrf/cvrf-suse-su-2024-1-1.xml", content: update(server) },
      { name: "cvrf/cvrf-suse-su-2024-2-1.xml", content: "<cvrfdoc>" },
    );

    const items = await itemsOf(suseUpdater, feedReaderOf({ "": archive }));

    expect(items).toMatchObject([fix, { kind: "problem" }]);
  });

  it("reads updates beside OVAL in a folder", async () => {
    const documents = { "cvrf-1.xml": update(server), "suse.xml": "<oval_definitions/>", "other.txt": "" };

    expect(await itemsOf(suseUpdater, feedReaderOf(documents, { layout: "folder" }))).toEqual([fix]);
  });
});
