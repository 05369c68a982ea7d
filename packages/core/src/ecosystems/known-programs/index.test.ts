import { describe, expect, it } from "vitest";
import { bitnamiUpdater } from "../../feeds/osv/databases.ts";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { advisorySourceOf } from "../../match/advisory-source-of.ts";
import { sampleAdvisory } from "../../match/fixtures/samples.ts";
import { matchReport } from "../../match/match-report.ts";
import { buildElf } from "../../programs/fixtures/build-program.ts";
import { goProgram } from "../go/fixtures/go-program.ts";
import { engineWith, fileOf, indexLayers } from "../language/fixtures/index-layers.ts";

const record = {
  id: "BIT-node-2024-1",
  modified: "2024-01-01T00:00:00Z",
  affected: [
    {
      package: { ecosystem: "Bitnami", name: "node" },
      ranges: [{ type: "SEMVER", events: [{ introduced: "18.0.0" }, { fixed: "18.20.0" }] }],
    },
  ],
};
const installed =
  "Package: nodejs\nStatus: install ok installed\nArchitecture: amd64\nVersion: 18.19.0+dfsg-6\nMaintainer: Debian <a@debian.org>\n\n";
const programOf = (version: string) =>
  fileOf("usr/bin/node", buildElf([{ name: ".rodata", content: Buffer.from(`node.js/v${version}\0`) }]), 0o755);

describe("knownPrograms", () => {
  it.each([
    ["an affected version", [programOf("18.19.0")], ["BIT-node-2024-1"]],
    ["a fixed version", [programOf("18.20.0")], []],
    [
      "a program of the distribution, which has its own patches",
      [
        fileOf("etc/os-release", "ID=debian\nVERSION_ID=12\n"),
        fileOf("var/lib/dpkg/status", installed),
        fileOf("var/lib/dpkg/info/nodejs.list", "/usr/bin/node\n"),
        programOf("18.19.0"),
      ],
      [],
    ],
  ])("judges %s by Bitnami's advisories", async (_, files, expected) => {
    const documents = { "data/node/BIT-node-2024-1.json": JSON.stringify(record) };
    const items = await itemsOf(bitnamiUpdater, feedReaderOf(documents, { layout: "folder" }));
    const ofNode = items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
    const advisories = [...ofNode, sampleAdvisory("debian:12", "zlib")]; // a feed covers the distribution

    const { vulnerabilities } = await matchReport(engineWith(), await indexLayers([files]), {
      advisories: advisorySourceOf(advisories),
    });

    expect(Object.values(vulnerabilities).map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    ["Go's command, which Go's own advisories judge", goProgram({ lines: ["path\tcmd/go"] }), []],
    ["a command without build information", buildElf([{ name: ".rodata", content: Buffer.alloc(1) }]), ["go"]],
  ])("leaves undecided without advisories by CPE name: %s", async (_, program, expected) => {
    const content = Buffer.concat([program, Buffer.from("\0go1.22.1\0")]);
    const { packages, coverage } = await matchReport(
      engineWith(),
      await indexLayers([[fileOf("usr/local/go/bin/go", content, 0o755)]]),
      { advisories: advisorySourceOf([sampleAdvisory("Go", "stdlib")]) },
    );

    const undecided = (coverage.undecided ?? []).flatMap(({ packageIds }) => packageIds);
    expect(undecided.map((id) => packages[id]?.name)).toEqual(expected);
  });
});
