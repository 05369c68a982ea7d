import { gzipSync } from "node:zlib";
import { buildTar } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { ghsaUpdater } from "../ghsa/updater.ts";
import { govulndbUpdater } from "../govulndb/updater.ts";
import { pypaUpdater } from "../pypa/updater.ts";
import { rustsecUpdater } from "../rustsec/updater.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";

const ranges = [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "1.10" }] }];

function record(id: string, ...ecosystems: readonly string[]): string {
  return JSON.stringify({
    id,
    affected: ecosystems.map((ecosystem) => ({ package: { ecosystem, name: "a" }, ranges })),
  });
}

const yaml = `
id: PYSEC-2022-36
affected:
- package: {name: A_b, ecosystem: PyPI}
  ranges:
  - type: ECOSYSTEM
    events:
    - introduced: "0"
    - fixed: 1.10
  versions:
  - 1.0
  - 1.9
aliases: [CVE-2021-44451]
published: "2022-02-01T14:15:00Z"
`;

const github = {
  "advisory-database-main/advisories/github-reviewed/2024/01/GHSA-1/GHSA-1.json": record("GHSA-1", "npm", "SwiftURL"),
  "advisory-database-main/advisories/unreviewed/2024/01/GHSA-2/GHSA-2.json": record("GHSA-2", "npm"),
  "advisory-database-main/README.md": "# hello",
};
const go = { "ID/GO-2024-2611.json": record("GO-2024-2611", "Go"), "index/vulns.json": "[]", "index/db.json": "{}" };

describe("databases of OSV records", () => {
  it.each([
    ["ghsa, reviewed ones only", ghsaUpdater, github, ["ghsa/GHSA-1/npm/a"]],
    ["govulndb, without its index", govulndbUpdater, go, ["govulndb/GO-2024-2611/Go/a"]],
    [
      "rustsec",
      rustsecUpdater,
      { "crates/RUSTSEC-1.json": record("RUSTSEC-1", "crates.io") },
      ["rustsec/RUSTSEC-1/crates.io/a"],
    ],
    ["pypa", pypaUpdater, { "vulns/a/PYSEC-2022-36.yaml": yaml, "vulns/a/x.txt": "" }, ["pypa/PYSEC-2022-36/PyPI/a-b"]],
  ])("%s: an archive as GitHub packs it, and a folder", async (_, updater, files, ids) => {
    const tar = gzipSync(buildTar(...Object.entries(files).map(([name, content]) => ({ name, content }))));
    for (const feeds of [feedReaderOf({ "": tar }), feedReaderOf(files, { layout: "folder" })]) {
      const items = await itemsOf(updater, feeds);

      expect(items.map((item) => (item.kind === "item" ? item.item.id : item))).toEqual(ids);
    }
  });

  it("pypa keeps versions as they are written", async () => {
    expect(await itemsOf(pypaUpdater, feedReaderOf({ "": yaml }))).toMatchObject([
      {
        item: {
          updater: "pypa",
          aliases: ["CVE-2021-44451"],
          ranges: [{ fixed: "1.10" }],
          versions: ["1.0", "1.9"],
          issuedAt: Date.UTC(2022, 1, 1, 14, 15),
        },
      },
    ]);
  });

  it("govulndb keeps import paths and symbols", async () => {
    const imports = [{ path: "a/b", symbols: ["F", "T.M"] }, { path: "a/c" }, { symbols: ["lost"] }];
    const affected = [{ package: { ecosystem: "Go", name: "a" }, ranges, ecosystem_specific: { imports } }];

    expect(
      await itemsOf(govulndbUpdater, feedReaderOf({ "": JSON.stringify({ id: "GO-1", affected }) })),
    ).toMatchObject([
      {
        item: {
          imports: [
            { path: "a/b", symbols: ["F", "T.M"] },
            { path: "a/c", symbols: [] },
          ],
        },
      },
    ]);
  });
});
