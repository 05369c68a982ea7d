import { describe, expect, it } from "vitest";
import { ubuntuMatcher } from "../../ecosystems/dpkg/matcher.ts";
import { samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import { matchRecords } from "../../match/match-records.ts";
import type { Advisory } from "../../model/advisory.ts";
import { ovalDefinition, ovalDocument } from "../oval/fixtures/oval-document.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { ubuntuUpdater } from "./updater.ts";

const evr = (version: string) => `<evr datatype="debian_evr_string" operation="less than">${version}</evr>`;
const tests = {
  affected: { kind: "dpkginfo", name: "cabextract" },
  fixed: { kind: "dpkginfo", name: "libmspack0", state: evr("0.4-3") },
  esm: { kind: "dpkginfo", name: "libwayland0", state: evr("1.12+esm1") },
};
const tree = `<extend_definition definition_ref="oval:x:def:100" comment="Ubuntu 16.04 LTS (xenial) is installed."/>
<criteria operator="OR"><criterion test_ref="tst(affected)" comment="cabextract package in xenial is affected and needs fixing."/>
<criterion test_ref="tst(fixed)" comment="libmspack package in xenial was vulnerable but has been fixed."/>
<criterion test_ref="tst(esm)" comment="wayland package in xenial was vulnerable but has been fixed."/></criteria>`;
const metadataOf = (platform: string) => `<title>CVE-2015-4471 on Ubuntu 16.04 LTS (xenial) - medium.</title>
<affected family="unix"><platform>${platform}</platform></affected>
<advisory><severity>Medium</severity><public_date>2015-06-11</public_date></advisory>`;

function documentFor(platform = "Ubuntu 16.04 LTS"): string {
  return ovalDocument({ tests, definitions: [ovalDefinition(tree, metadataOf(platform))] });
}

async function advisoriesOf(
  documents: Record<string, string>,
  layout: "folder" | "site",
): Promise<readonly Advisory[]> {
  const items = await itemsOf(ubuntuUpdater, feedReaderOf(documents, { layout }));
  return items.map((item) => (item.kind === "item" ? item.item : expect.fail(item.message)));
}

describe("ubuntuUpdater with OVAL", () => {
  it.each([
    ["a document", { "": documentFor() }, "site"],
    ["a folder of documents", { "com.ubuntu.xenial.cve.oval.xml": documentFor() }, "folder"],
  ] as const)("reads %s", async (_, documents, layout) => {
    expect(await advisoriesOf(documents, layout)).toMatchObject([
      {
        name: "CVE-2015-4471",
        ecosystem: "ubuntu:16.04",
        packageName: "cabextract",
        packageKind: "BINARY",
        status: "affected",
        ranges: [{}],
        severity: "Medium",
        normalizedSeverity: "Medium",
        issuedAt: Date.UTC(2015, 5, 11),
      },
      { packageName: "libmspack0", ranges: [{ fixed: "0.4-3" }] },
      { packageName: "libwayland0", ranges: [{ lastAffected: "1.12+esm1~" }] },
    ]);
  });

  it.each([
    ["cabextract 9", ["affected", undefined]],
    ["libmspack0 0.4-2", ["affected", "0.4-3"]],
    ["libmspack0 0.4-3", []],
    ["libwayland0 1.12", ["affected", undefined]],
    ["libwayland0 1.12+esm1", []],
  ] as const)("says of %s what it says of the package as it is installed", async (found, expected) => {
    const image = sampleRecord("ubuntu 16.04", samplePackage(found, { from: "source 1" }));

    const { affected } = matchRecords([ubuntuMatcher], {
      records: [image],
      advisories: await advisoriesOf({ "": documentFor() }, "site"),
    });

    expect(affected.flatMap(({ verdict }) => [verdict.kind, verdict.fixedInVersion])).toEqual(expected);
  });

  it("says nothing of other platforms", async () => {
    expect(await advisoriesOf({ "": documentFor("Ubuntu Core 16") }, "site")).toEqual([]);
  });

  it("refuses a document that is cut off", async () => {
    const half = documentFor().slice(0, 700);

    await expect(itemsOf(ubuntuUpdater, feedReaderOf({ "": half }))).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
