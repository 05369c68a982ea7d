import { readFileSync } from "node:fs";
import { allEcosystems, createEngine, ScanError } from "@plimsoll/core";
import { buildTar, compress, damagedForms, fuzzRuns, longNameMember, paxMember, streamBytes } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildBdb } from "../../core/src/ecosystems/rpm/fixtures/build-bdb.ts";
import { packageHeader, text, texts } from "../../core/src/ecosystems/rpm/fixtures/build-header.ts";
import { buildNdb } from "../../core/src/ecosystems/rpm/fixtures/build-ndb.ts";
import { buildSqlite } from "../../core/src/sqlite/fixtures/build-sqlite.ts";
import { nodeReaders } from "./adapters/platform/node-readers.ts";
import { parseLayerRecord } from "./values/layer-record.ts";
import { parsePieces } from "./values/text-pieces.ts";

const limits = { maxLayerBytes: 4_000_000, maxEntries: 20_000, maxKeptBytes: 4_000_000 };
const engine = createEngine({ ecosystems: allEcosystems, limits });
const readers = nodeReaders(engine);

const status =
  "Package: zlib\nStatus: install ok installed\nSource: z (2)\nArchitecture: amd64\nVersion: 1:1-1\n\n".repeat(3);
const apkDatabase = "C:Q1abc=\nP:musl\nV:1.2.5-r0\nA:x86_64\no:musl\nF:lib\nR:ld.so\n\n".repeat(3);
const release =
  'NAME="Debian"\nID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nCPE_NAME="cpe:/o:debian:debian:12"\n';
const rpmRecords = ["audit", "bash"].map((name, index) => ({
  number: index + 1,
  blob: packageHeader({ name, more: [text(1044, `${name}-1.0-1.src.rpm`), texts(1118, ["/usr/bin/"])] }),
}));
const rpmSqlite = buildSqlite((database) => {
  database.exec("PRAGMA page_size = 512; CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)");
  for (const { number, blob } of rpmRecords) database.prepare("INSERT INTO Packages VALUES (?, ?)").run(number, blob);
}).bytes;
const elf = new Uint8Array(readFileSync(process.execPath).subarray(0, 8_192));

/** Files as detectors and the finder of evidence want them. */
const files: readonly (readonly [path: string, content: string | Uint8Array])[] = [
  ["var/lib/dpkg/status", status],
  ["var/lib/dpkg/status.d/zlib", status],
  ["var/lib/dpkg/info/zlib.list", "/.\n/usr\n/usr/lib/libz.so\n"],
  ["usr/lib/opkg/status", status],
  ["lib/apk/db/installed", apkDatabase],
  ["etc/apk/repositories", "https://dl-cdn.alpinelinux.org/alpine/v3.20/main\n@edge http://x/y\n"],
  ["etc/os-release", release],
  ["etc/lsb-release", 'DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE="24.04"\n'],
  ["etc/redhat-release", "Red Hat Enterprise Linux release 9.4 (Plow)\n"],
  ["etc/alpine-release", "3.20.1\n"],
  ["var/lib/ubuntu-advantage/status.json", '{"attached":true,"services":[{"name":"esm-infra","status":"enabled"}]}'],
  ["var/lib/rpm/rpmdb.sqlite", rpmSqlite],
  ["var/lib/rpm/Packages", buildBdb(rpmRecords)],
  ["var/lib/rpm/Packages.db", buildNdb(rpmRecords)],
  ["usr/bin/program", elf],
  ["app/node_modules/a/package.json", '{"name":"a","version":"1"}'],
];

/** A layer with one of everything that a tar archive can say. */
const everything = buildTar(
  { name: "folder/", type: "5" },
  longNameMember("long/".repeat(40)),
  { name: "short", content: "long" },
  longNameMember("target/".repeat(30), "K"),
  { name: "link", type: "2", linkName: "short", format: "gnu" },
  paxMember([
    ["path", "var/lib/dpkg/status"],
    ["size", `${status.length}`],
  ]),
  { name: "p", content: status },
  paxMember([["comment", "global"]], "g"),
  paxMember([
    ["GNU.sparse.major", "1"],
    ["GNU.sparse.minor", "0"],
    ["GNU.sparse.name", "etc/os-release"],
    ["GNU.sparse.realsize", "12"],
  ]),
  { name: "s", content: `1\n0\n12\n${"\0".repeat(505)}ID=debian\n12` },
  { name: "usr/lib/os-release", type: "2", linkName: "../../etc/os-release" },
  { name: "etc/hard", type: "1", linkName: "etc/os-release" },
  { name: "usr/.wh.gone" },
  { name: "opt/.wh..wh..opq" },
  { name: "etc/.wh..wh.plnk" },
  { name: "dev/null", type: "3" },
  ...files.map(([name, content]) => ({ name, content })),
);

/** Ends the reading of a layer in what was found or an error of our own, and a report of it in no error at all. */
async function readWhole(bytes: Uint8Array): Promise<void> {
  const layer = { open: () => streamBytes(bytes, 4_096), reopens: true, expected: {} };
  const read = await readers.readLayer(layer).catch((error: unknown) => {
    if (error instanceof ScanError) return undefined;
    throw error;
  });
  if (read === undefined) return;
  const { findings } = parseLayerRecord(read.record);
  const failures = Object.values(findings)
    .flat()
    .filter((finding) => finding.kind === "problem" && finding.code === "detector_failed");
  expect(failures).toEqual([]);
  const image = { manifestDigest: read.digest, layers: [{ status: "read", record: read.record } as const] };
  const { report } = await readers.makeReport({ ...image, purpose: "index" });
  expect([...parsePieces(report)].length).toBeGreaterThan(0);
}

describe("damaged layers", () => {
  it("are read to the end while they are sound", async () => {
    const { record } = await readers.readLayer({ open: () => streamBytes(everything), reopens: true, expected: {} });

    const found = JSON.stringify(parseLayerRecord(record).findings);
    for (const part of ["zlib", "musl", "audit", "debian", "package.json"]) expect(found).toContain(part);
  });

  it.each(files)("with %s end in findings, or in an error of our own", { timeout: 600_000 }, async (name, content) => {
    const sound = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await fc.assert(
      fc.asyncProperty(damagedForms(sound), (damaged) => readWhole(buildTar({ name, content: damaged }))),
      fuzzRuns(60),
    );
  });

  it.each(["plain", "gzip", "zstd"] as const)(
    "that are %s end in findings, or in an error of our own",
    { timeout: 600_000 },
    async (how) => {
      await fc.assert(fc.asyncProperty(damagedForms(compress(everything, how)), readWhole), fuzzRuns(60));
    },
  );

  it.each(["gzip", "zstd"] as const)("whose archive in %s is damaged do so too", { timeout: 600_000 }, async (how) => {
    await fc.assert(
      fc.asyncProperty(damagedForms(everything), (damaged) => readWhole(compress(damaged, how))),
      fuzzRuns(60),
    );
  });
});
