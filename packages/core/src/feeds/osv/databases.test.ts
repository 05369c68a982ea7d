import { gzipSync } from "node:zlib";
import { buildTar } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import {
  bitnamiUpdater,
  ghsaUpdater,
  govulndbUpdater,
  openeulerUpdater,
  pypaUpdater,
  rustsecUpdater,
} from "./databases.ts";

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
  it("read the records beside a malformed one in a folder", async () => {
    const folder = {
      "advisories/github-reviewed/GHSA-1.json": "{",
      "advisories/github-reviewed/GHSA-2.json": record("GHSA-2", "npm"),
    };

    const items = await itemsOf(ghsaUpdater, feedReaderOf(folder, { layout: "folder" }));

    expect(items.map((item) => (item.kind === "item" ? item.item.id : item.kind))).toEqual([
      "problem",
      "ghsa/GHSA-2/npm/a",
    ]);
  });

  it.each([
    ["ghsa, reviewed ones only", ghsaUpdater, github, ["ghsa/GHSA-1/npm/a"]],
    ["govulndb, without its index", govulndbUpdater, go, ["govulndb/GO-2024-2611/Go/a"]],
    [
      "rustsec",
      rustsecUpdater,
      { "crates/RUSTSEC-1.json": record("RUSTSEC-1", "crates.io") },
      ["rustsec/RUSTSEC-1/crates.io/a"],
    ],
    [
      "bitnami, as its repository is laid out",
      bitnamiUpdater,
      {
        "vulndb-main/data/brotli/BIT-brotli-2020-8927.json": record("BIT-brotli-2020-8927", "Bitnami"),
        "vulndb-main/x.json": "{}",
      },
      ["bitnami/BIT-brotli-2020-8927/Bitnami/a"],
    ],
    [
      "openeuler, by release and service pack",
      openeulerUpdater,
      { "OESA-2024-2048.json": record("OESA-2024-2048", "openEuler:22.03-LTS-SP3", "openEuler:24.03-LTS", "npm") },
      ["openeuler/OESA-2024-2048/openeuler:22.03-lts-sp3/a", "openeuler/OESA-2024-2048/openeuler:24.03-lts/a"],
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

  it("openeuler judges sources, under the names of the vulnerabilities that an advisory fixes", async () => {
    const affected = [
      {
        package: {
          ecosystem: "openEuler:22.03-LTS-SP3",
          name: "booth",
          purl: "pkg:rpm/openEuler/booth&distro=openEuler-22.03-LTS-SP3",
        },
        ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "1.0-9.oe2203sp3" }] }],
        ecosystem_specific: { x86_64: ["booth-1.0-9.oe2203sp3.x86_64.rpm"], src: ["booth-1.0-9.oe2203sp3.src.rpm"] },
      },
    ];
    const erratum = {
      id: "OESA-2024-2048",
      upstream: ["CVE-2024-3049"],
      affected,
      database_specific: { severity: "High" },
    };

    expect(await itemsOf(openeulerUpdater, feedReaderOf({ "": JSON.stringify(erratum) }))).toMatchObject([
      {
        item: {
          aliases: ["CVE-2024-3049"],
          ecosystem: "openeuler:22.03-lts-sp3",
          packageName: "booth",
          packageKind: "SOURCE",
          ranges: [{ fixed: "1.0-9.oe2203sp3" }],
          normalizedSeverity: "High",
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
