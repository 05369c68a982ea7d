import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { amazonUpdater } from "./updater.ts";

/** What an update has beside its id. */
interface SampleUpdate {
  readonly id?: string;
  readonly type?: string;
  readonly severity?: string;
  readonly issued?: string;
  readonly references?: string;
  readonly collection?: string;
}

const zlib = '<package name="zlib" epoch="0" version="1.2" release="3.amzn2" arch="x86_64"/>';

function updateOf(update: SampleUpdate): string {
  const { id = "ALAS2-2024-0001", type = "security", severity = "medium", issued = "2024-01-02 03:04" } = update;
  const { references = '<reference id="CVE-2024-0001" type="cve"/>', collection = zlib } = update;
  return `<update type="${type}"><id>${id}</id><issued date="${issued}"/><severity>${severity}</severity>
    <description>A flaw.</description><references>${references}</references>
    <pkglist><collection short="amazon-linux">${collection}</collection></pkglist></update>`;
}

const documentOf = (...updates: string[]) => `<?xml version="1.0"?><updates>${updates.join("")}</updates>`;

async function advisoriesOf(update: SampleUpdate): Promise<Advisory[]> {
  const items = await itemsOf(amazonUpdater, feedReaderOf({ "": documentOf(updateOf(update)) }));
  return items.map((item) => {
    if (item.kind === "problem") throw new Error(item.message);
    return item.item;
  });
}

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

/** A site with both repositories. */
function siteOf(changed: Readonly<Record<string, string | Uint8Array>> = {}) {
  const documents: Record<string, string | Uint8Array> = {
    "2/core/latest/x86_64/mirror.list": "https://cdn.example.com/2/core/2.0/x86_64/abc\n",
    "al2023/core/mirrors/latest/x86_64/mirror.list": "https://cdn.example.com/al2023/core/guids/def/x86_64/\n",
  };
  for (const [folder, id] of [
    ["2/core/2.0/x86_64/abc", "ALAS2-2024-1"],
    ["al2023/core/guids/def/x86_64", "ALAS2023-2024-001"],
  ] as const) {
    const updates = gzipSync(documentOf(updateOf({ id })));
    documents[`${folder}/repodata/updateinfo.xml.gz`] = updates;
    documents[`${folder}/repodata/repomd.xml`] = `<repomd><data type="primary"><location href="repodata/p"/></data>
      <data type="updateinfo"><checksum type="sha256">${sha256(updates)}</checksum>
      <open-checksum type="sha256">${sha256(documentOf(updateOf({ id })))}</open-checksum>
      <location href="repodata/updateinfo.xml.gz"/></data></repomd>`;
  }
  return feedReaderOf({ ...documents, ...changed });
}

describe("amazonUpdater", () => {
  it("makes an advisory of a package of an update", async () => {
    const references = `<reference href="https://cve.example/CVE-2024-0001" id="CVE-2024-0001" type="cve"/>
      <reference href="https://cve.example/CVE-2024-0002" id="CVE-2024-0002" type="cve"/>
      <reference href="mailto:x" id="7" type="bugzilla"/>`;

    expect(await advisoriesOf({ references })).toEqual([
      {
        id: "amazon/ALAS2-2024-0001/amzn:2/zlib/1.2-3.amzn2",
        updater: "amazon",
        name: "ALAS2-2024-0001",
        aliases: ["CVE-2024-0001", "CVE-2024-0002"],
        ecosystem: "amzn:2",
        packageName: "zlib",
        packageKind: "BINARY",
        arch: { operation: "equals", value: "x86_64" },
        status: "affected",
        ranges: [{ fixed: "1.2-3.amzn2" }],
        versions: [],
        description: "A flaw.",
        issuedAt: Date.UTC(2024, 0, 2, 3, 4),
        links: ["https://cve.example/CVE-2024-0001", "https://cve.example/CVE-2024-0002"],
        severity: "medium",
        normalizedSeverity: "Medium",
      },
    ]);
  });

  it.each([
    [{ id: "ALAS2023-2023-001" }, { ecosystem: "amzn:2023" }],
    [{ id: "ALAS-2014-320" }, { ecosystem: "amzn:1" }],
    [{ id: "ALAS2LIVEPATCH-2021-001" }, { ecosystem: "amzn:2" }],
    [{ severity: "important" }, { normalizedSeverity: "High" }],
    [{ severity: "Critical" }, { normalizedSeverity: "Critical" }],
    [{ severity: "low" }, { normalizedSeverity: "Low" }],
    [{ severity: "" }, { normalizedSeverity: "Unknown" }],
    [{ issued: "2024-01-02" }, { issuedAt: Date.UTC(2024, 0, 2) }],
    [{ issued: "2024-01-02 03:04:05" }, { issuedAt: Date.UTC(2024, 0, 2, 3, 4, 5) }],
    [{ collection: zlib.replace('epoch="0"', 'epoch="2"') }, { ranges: [{ fixed: "2:1.2-3.amzn2" }] }],
    [{ collection: `<module name="perl" stream="5.30"/>${zlib}` }, { module: "perl:5.30" }],
    [{ type: "bugfix" }, { name: "ALAS2-2024-0001" }],
  ])("reads %j", async (update, advisory) => {
    expect(await advisoriesOf(update)).toMatchObject([advisory]);
  });

  it("joins the architectures of one version and keeps versions apart", async () => {
    const arm = zlib.replace("x86_64", "aarch64");
    const collection = [zlib, arm, arm.replace("3.amzn2", "4.amzn2"), zlib.replace("x86_64", "src")].join("");

    expect(await advisoriesOf({ collection })).toMatchObject([
      { ranges: [{ fixed: "1.2-3.amzn2" }], arch: { operation: "pattern match", value: "aarch64|x86_64" } },
      { ranges: [{ fixed: "1.2-4.amzn2" }], arch: { operation: "equals", value: "aarch64" } },
    ]);
  });

  it.each([
    ["fixes no vulnerability", { type: "bugfix", references: "" }],
    ["is of another distribution", { id: "RLSA-2024:1" }],
  ])("leaves out an update that %s", async (_, update) => {
    expect(await advisoriesOf(update)).toEqual([]);
  });

  it.each([
    ["a package without a version", updateOf({ collection: `<package name="a"/>${zlib}` }), "without name, version", 2],
    ["an update without an id", updateOf({}).replace(/<id>.*<\/id>/, ""), "an update without an id", 1],
  ])("reads the rest after %s", async (_, bad, message, advisories) => {
    const items = await itemsOf(amazonUpdater, feedReaderOf({ "": documentOf(bad, updateOf({ id: "ALAS2-2024-2" })) }));

    expect(items[0]).toMatchObject({ kind: "problem", message: expect.stringContaining(message) });
    expect(items.slice(1)).toHaveLength(advisories);
    expect(items.at(-1)).toMatchObject({ item: { name: "ALAS2-2024-2" } });
  });

  it("follows the mirror lists of the site, whatever host they name", async () => {
    const items = await itemsOf(amazonUpdater, siteOf());

    expect(items).toMatchObject([{ item: { name: "ALAS2-2024-1" } }, { item: { name: "ALAS2023-2024-001" } }]);
  });

  const updates = "2/core/2.0/x86_64/abc/repodata/updateinfo.xml.gz";
  it.each([
    ["another checksum", { [updates]: gzipSync(documentOf()) }, "digest sha256:"],
    ["no index", { "2/core/2.0/x86_64/abc/repodata/repomd.xml": "<html></html>" }, "not <repomd>"],
    [
      "an index without updates",
      { "2/core/2.0/x86_64/abc/repodata/repomd.xml": "<repomd/>" },
      "a repository with updates",
    ],
    ["no list of mirrors", { "2/core/latest/x86_64/mirror.list": "<html>" }, "list of mirrors"],
  ])("refuses a site with %s", async (_, changed, message) => {
    await expect(itemsOf(amazonUpdater, siteOf(changed))).rejects.toMatchObject({
      code: "malformed_feed",
      message: expect.stringContaining(message),
    });
  });

  it("takes a document that the server has decompressed", async () => {
    const feeds = siteOf({ [updates]: documentOf(updateOf({ id: "ALAS2-2024-1" })) });

    expect(await itemsOf(amazonUpdater, feeds)).toHaveLength(2);
  });

  it.each([
    ["half of a document", documentOf(updateOf({})).slice(0, -40)],
    ["compressed half of a document", gzipSync(documentOf(updateOf({}))).subarray(0, 100)],
    ["entities", `<!DOCTYPE updates [<!ENTITY a "b">]>${documentOf(updateOf({}))}`],
  ])("refuses %s", async (_, document) => {
    await expect(itemsOf(amazonUpdater, feedReaderOf({ "": document }))).rejects.toMatchObject({
      code: "malformed_feed",
    });
  });

  it("says so when there is nothing", async () => {
    await expect(itemsOf(amazonUpdater, feedReaderOf({}))).rejects.toMatchObject({ code: "not_found" });
    const folder = feedReaderOf({ "README.txt": "x" }, { layout: "folder" });
    await expect(itemsOf(amazonUpdater, folder)).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it("reads the documents of updates in a folder", async () => {
    const document = documentOf(updateOf({}));
    const files = {
      "2/updateinfo.xml.gz": gzipSync(document),
      "1-updateinfo.xml": document,
      "repomd.xml": "<repomd/>",
    };

    expect(await itemsOf(amazonUpdater, feedReaderOf(files, { layout: "folder" }))).toHaveLength(2);
  });

  it("is unchanged as long as the documents of updates are", async () => {
    const first = await amazonUpdater.update(siteOf());
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;

    expect(await amazonUpdater.update(siteOf(), fingerprint)).toEqual({ kind: "unchanged" });
    const changed = siteOf({ [updates]: gzipSync(documentOf()) });
    expect(await amazonUpdater.update(changed, fingerprint)).toMatchObject({ kind: "snapshot" });
  });
});
