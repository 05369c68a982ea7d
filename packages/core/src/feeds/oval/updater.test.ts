import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { ovalDefinition, ovalDocument, type SampleTest } from "./fixtures/oval-document.ts";
import { ovalUpdater } from "./updater.ts";

const updater = ovalUpdater({
  location: "https://oval.example/all.xml",
  scope: { partBytes: { any: 0 } },
  vendor: { updater: "sample", packageKind: "BINARY", ecosystemsOf: ({ products = ["any"] }) => products },
  findParts: async (parts) => [await parts.get()],
});

const tests: Readonly<Record<string, SampleTest>> = {
  r8: { name: "ol-release", state: '<version operation="pattern match">^8</version>' },
  r9: { name: "ol-release", state: '<version operation="pattern match">^9</version>' },
  x86: { name: "ol-release", state: '<arch operation="pattern match">x86_64</arch>' },
  less: { state: '<evr operation="less than">0:2-1</evr>' },
  "less-epoch": { state: '<evr operation="less than">3:2-1</evr>' },
  most: { state: '<evr operation="less than or equal">0:2-1</evr>' },
  from: { state: '<evr operation="greater than or equal">0:1-1</evr>' },
  above: { state: '<evr operation="greater than">0:0-0</evr>' },
  same: { state: '<evr operation="equals">0:2-1</evr>' },
  never: { state: '<version operation="equals">0</version>' },
  "below-all": { state: '<evr operation="less than">0:0-0</evr>' },
  two: { state: '<evr operation="less than">0:2-1,3-1</evr>' },
  odd: { state: '<evr operation="sounds like">0:2-1</evr>' },
  arm: { state: '<arch operation="pattern match">(aarch64|armv7hl)</arch><evr operation="less than">0:2-1</evr>' },
  signed: { state: '<signature_keyid operation="equals">72f97b74ec551f03</signature_keyid>' },
  present: {},
  absent: { attributes: 'check_existence="none_exist"' },
  other: { name: "curl", state: '<evr operation="less than">0:8-1</evr>' },
  running: { kind: "uname", state: '<os_release operation="pattern match">5</os_release>' },
  module: { kind: "textfilecontent54", state: "<text>enabled</text>" },
};

const leaf = (name: string, comment = name, more = "") =>
  `<criterion test_ref="tst(${name})" comment="${comment}" ${more}/>`;
const all = (...parts: string[]) => `<criteria operator="AND">${parts.join("")}</criteria>`;
const any = (...parts: string[]) => `<criteria operator="OR">${parts.join("")}</criteria>`;
const on8 = leaf("r8", "OL 8 is installed");
const on9 = leaf("r9", "OL 9 is installed");
const stream = (name: string) => leaf("module", `Module ${name} is enabled`);

function itemsOfDefinitions(...definitions: string[]) {
  return itemsOf(updater, feedReaderOf({ "": ovalDocument({ tests, definitions }) }));
}

async function advisoriesOf(criteria: string, metadata?: string): Promise<Advisory[]> {
  const items = await itemsOfDefinitions(ovalDefinition(criteria, metadata));
  return items.map((item) => {
    if (item.kind === "problem") throw new Error(item.message);
    return item.item;
  });
}

/** What a criteria tree says, in words: `OL 8 zlib <2-1`. */
async function rowsOf(criteria: string): Promise<string[]> {
  const advisories = await advisoriesOf(criteria);
  return advisories.map(({ ecosystem, packageName, module, arch, status, ranges }) =>
    [
      ecosystem,
      packageName,
      module,
      arch?.value,
      ...ranges.map(({ introduced = "", fixed, lastAffected }) =>
        fixed !== undefined ? `${introduced}<${fixed}` : `${introduced}..${lastAffected ?? ""}`,
      ),
      status === "affected" ? undefined : status,
    ]
      .filter((part) => part !== undefined)
      .join(" "),
  );
}

describe("ovalUpdater", () => {
  it("makes an advisory of a definition", async () => {
    const metadata = `<title>
      ELSA-2024-0001:  zlib security update (IMPORTANT)</title>
      <reference source="elsa" ref_id="ELSA-2024-0001" ref_url="https://linux.example/ELSA-2024-0001.html"/>
      <reference source="CVE" ref_id="CVE-2024-0001" ref_url="https://linux.example/CVE-2024-0001.html"/>
      <description> A flaw. </description>
      <advisory><severity>IMPORTANT</severity><issued date="2024-01-02"/>
      <cve href="https://linux.example/CVE-2024-0002.html">CVE-2024-0002</cve></advisory>`;

    expect(await advisoriesOf(all(on8, leaf("arm")), metadata)).toEqual([
      {
        id: "sample/ELSA-2024-0001/7/OL 8/zlib/(aarch64|armv7hl)",
        updater: "sample",
        name: "ELSA-2024-0001",
        aliases: ["CVE-2024-0001", "CVE-2024-0002"],
        ecosystem: "OL 8",
        packageName: "zlib",
        packageKind: "BINARY",
        arch: { operation: "pattern match", value: "(aarch64|armv7hl)" },
        status: "affected",
        ranges: [{ fixed: "2-1" }],
        versions: [],
        description: "A flaw.",
        issuedAt: Date.UTC(2024, 0, 2),
        links: [
          "https://linux.example/ELSA-2024-0001.html",
          "https://linux.example/CVE-2024-0001.html",
          "https://linux.example/CVE-2024-0002.html",
        ],
        severity: "IMPORTANT",
        normalizedSeverity: "High",
      },
    ]);
  });

  it.each([
    ["a fix", leaf("less"), ["any zlib <2-1"]],
    ["a fix with an epoch", leaf("less-epoch"), ["any zlib <3:2-1"]],
    ["the last version", leaf("most"), ["any zlib ..2-1"]],
    ["one version", leaf("same"), ["any zlib 2-1..2-1"]],
    ["every version above nothing", leaf("above"), ["any zlib .."]],
    ["that the package is there", leaf("present"), ["any zlib .."]],
    ["no version: equal to 0", leaf("never"), ["any zlib .. not-affected"]],
    ["no version: below 0", leaf("below-all"), ["any zlib .. not-affected"]],
    ["two bounds", all(leaf("from"), leaf("less")), ["any zlib 1-1<2-1"]],
    ["an affected release of several", all(any(on8, on9), leaf("less")), ["OL 8 zlib <2-1", "OL 9 zlib <2-1"]],
    [
      "each release for itself",
      any(all(on8, leaf("less")), all(on9, leaf("most"))),
      ["OL 8 zlib <2-1", "OL 9 zlib ..2-1"],
    ],
    ["a signed package", all(on8, leaf("less"), leaf("signed")), ["OL 8 zlib <2-1"]],
    ["only a signature", all(on8, leaf("signed")), []],
    ["what runs now", all(on8, any(leaf("running"), leaf("running")), leaf("less")), ["OL 8 zlib <2-1"]],
    ["what runs now, or a package", all(on8, any(leaf("running"), leaf("less"))), ["OL 8 zlib <2-1"]],
    ["the release's architecture", all(on8, leaf("x86"), leaf("less")), ["OL 8 zlib x86_64 <2-1"]],
    ["the package's own architecture", all(on8, leaf("x86"), leaf("arm")), ["OL 8 zlib (aarch64|armv7hl) <2-1"]],
    ["several packages", all(on8, any(leaf("less"), leaf("other"))), ["OL 8 zlib <2-1", "OL 8 curl <8-1"]],
    ["packages that are there together", all(leaf("less"), leaf("other")), ["any zlib <2-1", "any curl <8-1"]],
    ["a package twice", any(leaf("less"), leaf("most"), leaf("less")), ["any zlib <2-1 ..2-1"]],
    ["affected here, not there", any(leaf("never"), leaf("less")), ["any zlib <2-1"]],
    [
      "modules, each for what is beside it",
      all(on8, any(all(stream("zlib:1"), leaf("less")), all(stream("curl:2"), any(leaf("other"))), leaf("most"))),
      ["OL 8 zlib zlib:1 <2-1", "OL 8 curl curl:2 <8-1", "OL 8 zlib ..2-1"],
    ],
    ["a negated bound", leaf("less", "x", 'negate="true"'), ["any zlib 2-1.."]],
    ["a release behind the package", all(leaf("less"), on8), ["OL 8 zlib <2-1"]],
    [
      "a negated group of which all has to hold",
      `<criteria operator="AND" negate="true">${leaf("from")}${leaf("less")}</criteria>`,
      ["any zlib <1-1 2-1.."],
    ],
    ["a test that demands absence", all(on8, leaf("absent"), leaf("other")), ["OL 8 curl <8-1"]],
    ["a negated absence", leaf("absent", "x", 'negate="true"'), ["any zlib .."]],
    [
      "a negated group",
      `<criteria operator="OR" negate="true">${leaf("less")}${leaf("other", "x", 'negate="true"')}</criteria>`,
      ["any zlib 2-1..", "any curl <8-1"],
    ],
    [
      "a release that must not be there",
      all(leaf("r8", "OL 8 is installed", 'negate="true"'), on9, leaf("less")),
      ["OL 9 zlib <2-1"],
    ],
    ["no operator", `<criteria>${on8}${leaf("less")}</criteria>`, ["OL 8 zlib <2-1"]],
  ])("reads %s", async (_, criteria, rows) => {
    expect(await rowsOf(criteria)).toEqual(rows);
  });

  it.each([
    ["a test that is not there", leaf("gone", "curl is old"), 'no test for "curl is old"'],
    ["several versions in one text", leaf("two"), '"2-1,3-1"'],
    ["an unknown operation", leaf("odd"), '"sounds like"'],
  ])("loses %s, and nothing else", async (_, bad, message) => {
    expect(await itemsOfDefinitions(ovalDefinition(any(bad, leaf("less"))))).toMatchObject([
      { kind: "problem", at: "memory: oval:x:def:7", message: expect.stringContaining(message) },
      { item: { packageName: "zlib" } },
    ]);
  });

  const packages = Array.from({ length: 150 }, () => leaf("less")).join("");
  it.each([
    ["no name", ovalDefinition(leaf("less"), "<title>An update</title>"), "does not begin with a name"],
    ["no criteria", ovalDefinition(""), "without metadata or criteria"],
    ["two modules at once", ovalDefinition(all(stream("a:1"), stream("b:1"), leaf("less"))), "the modules a:1 and b:1"],
    ["too many combinations", ovalDefinition(all(any(packages), any(packages))), "more than 20000 alternatives"],
    ["too many alternatives", ovalDefinition(any(packages.repeat(140))), "more than 20000 alternatives"],
  ])("reads the definitions after one with %s", async (_, bad, message) => {
    expect(await itemsOfDefinitions(bad, ovalDefinition(leaf("less")))).toMatchObject([
      { kind: "problem", message: expect.stringContaining(message) },
      { item: { packageName: "zlib" } },
    ]);
  });

  it("takes names of packages from variables", async () => {
    const document = ovalDocument({ tests: { less: tests.less ?? {} }, definitions: [ovalDefinition(leaf("less"))] })
      .replace("<name>zlib</name>", '<name var_ref="oval:x:var:1" var_check="at least one"/>')
      .replace(
        "</oval_definitions>",
        '<variables><constant_variable id="oval:x:var:1"><value>a</value><value>b</value></constant_variable></variables></oval_definitions>',
      );

    const items = await itemsOf(updater, feedReaderOf({ "": document }));

    expect(items).toMatchObject([{ item: { packageName: "a" } }, { item: { packageName: "b" } }]);
  });

  it("keeps ids of different namespaces apart", async () => {
    const document = ovalDocument({ tests: { less: tests.less ?? {} }, definitions: [ovalDefinition(leaf("less"))] });
    const foreign = '<rpminfo_object id="oval:y:obj:1"><name>curl</name></rpminfo_object></objects>';

    const items = await itemsOf(updater, feedReaderOf({ "": document.replace("</objects>", foreign) }));

    expect(items).toMatchObject([{ item: { packageName: "zlib" } }]);
  });

  it.each([
    ["a document that is cut off", ovalDocument({ tests, definitions: [ovalDefinition(leaf("less"))] }).slice(0, -200)],
    ["a page instead of a document", "<!DOCTYPE html><html><body>Moved</body></html>"],
    ["JSON instead of a document", '{"moved": true}'],
    ["another XML document", "<updates/>"],
  ])("refuses %s", async (_, document) => {
    await expect(itemsOf(updater, feedReaderOf({ "": document }))).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it("reads the XML documents of a folder", async () => {
    const document = ovalDocument({ tests, definitions: [ovalDefinition(leaf("less"))] });
    const feeds = feedReaderOf({ "a.xml": document, "README.txt": "x", "b.xml": document }, { layout: "folder" });

    expect(await itemsOf(updater, feeds)).toHaveLength(2);
    const none = itemsOf(updater, feedReaderOf({ "README.txt": "x" }, { layout: "folder" }));
    await expect(none).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it("is unchanged as long as the document is", async () => {
    const feeds = feedReaderOf({ "": ovalDocument({ tests, definitions: [] }) });
    const first = await updater.update(feeds);

    expect(first.kind).toBe("snapshot");
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;
    expect(await updater.update(feeds, fingerprint)).toEqual({ kind: "unchanged" });
    const changed = feedReaderOf({ "": ovalDocument({ tests: {}, definitions: [] }) });
    expect(await updater.update(changed, fingerprint)).toMatchObject({ kind: "snapshot" });
  });
});
