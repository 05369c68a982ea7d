import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { cpuMsOf, findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { detectIn } from "../linux/fixtures/layer-files.ts";
import { dpkgDetector } from "./detector.ts";
import { parseDpkgStatus } from "./status.ts";

const corpus = findCorpus();
const folder = `${corpus}/data/packagedbs/dpkg`;

interface Expected {
  readonly count: number;
  readonly packages: readonly Record<string, unknown>[];
}

describe.skipIf(corpus === undefined)("parseDpkgStatus", () => {
  it.each([
    "debian-10-postgresql",
    "debian-bookworm-minbase",
    "debian-deinstall",
    "debian-trixie-minbase",
    "ubuntu-10.04",
    "ubuntu-texlive-large",
  ])("lists %s as dpkg-query does", (name) => {
    const expected: Expected = JSON.parse(readFileSync(`${folder}/${name}/expected.json`, "utf8"));

    const { packages, problems } = parseDpkgStatus(readFileSync(`${folder}/${name}/var/lib/dpkg/status`));

    expect(problems.count).toBe(0);
    expect(packages).toHaveLength(expected.count);
    const shown = packages.map(
      ({ maintainer, originalMaintainer, homepage, synopsis, depends, recommends, provides, ...found }) => found,
    );
    expect(sorted(shown)).toEqual(sorted(expected.packages));
  });

  it("reads the database of opkg", () => {
    const { packages, problems } = parseDpkgStatus(readFileSync(`${folder}/opkg/var/lib/opkg/status`));

    expect(problems.count).toBe(0);
    expect(packages.map(({ name, version, arch, installed }) => [name, version, arch, installed])).toEqual([
      ["dropbear", "2024.85-r0", "x86_64", true],
      ["busybox", "1.36.1-r3", "x86_64", true],
      ["kernel-modules", "6.6.0-r0", "x86_64", true],
    ]);
  });

  it("reads 440 packages within milliseconds", () => {
    const bytes = readFileSync(`${folder}/ubuntu-texlive-large/var/lib/dpkg/status`);
    const runs = Array.from({ length: 30 }, () => cpuMsOf(() => parseDpkgStatus(bytes)));

    expect(Math.min(...runs) * (440 / 357)).toBeLessThan(12); // measured: 3; the rest is for busy machines
  });
});

describe.skipIf(corpus === undefined)("dpkgDetector", () => {
  it("finds Distroless' package and ignores its side files", () => {
    const path = "var/lib/dpkg/status.d";
    const names = readdirSync(`${folder}/distroless-status.d/${path}`);
    const entries = names.map((name) => [
      `${path}/${name}`,
      new Uint8Array(readFileSync(`${folder}/distroless-status.d/${path}/${name}`)),
    ]);

    expect(detectIn(dpkgDetector, Object.fromEntries(entries))).toMatchObject([
      { kind: "database", path: `${path}/libsqlite3-0` },
      { kind: "package", package: { name: "libsqlite3-0", version: "3.34.1-3", source: { name: "sqlite3" } } },
    ]);
  });

  it.each<[file: string, packages: string[], problems: number]>([
    ["generated/dpkg/no-final-newline/status", ["a 1"], 0],
    ["generated/dpkg/crlf/status", ["a 1"], 0],
    ["generated/dpkg/garbage-between/status", ["b 2"], 1],
    ["generated/dpkg/invalid-version/status", ["a not a version!!", "b 2"], 0],
    ["generated/dpkg/line-8MiB/status.gz", ["a 1"], 0],
    ["generated/dpkg/many-continuation-lines/status.gz", ["a 1"], 0],
    ["peers/google+osv-scalibr/extractor/filesystem/os/dpkg/dpkg/empty", [], 0],
    ["peers/google+osv-scalibr/extractor/filesystem/os/dpkg/dpkg/invalid", [], 1],
    ["peers/google+osv-scalibr/extractor/filesystem/os/dpkg/dpkg/nopackage", ["foo 1.0", "bar 2.0"], 1],
    [
      "peers/google+osv-scalibr/extractor/filesystem/os/dpkg/dpkg/statusfield",
      [
        ...["wantinstall_installed 1.0", "wantdeinstall_installed 1.0", "wantinstall_unpacked 1.0"],
        ...["wantpurge_installed 1.0", "wantinstall_halfinstalled 1.0"],
      ],
      0,
    ],
    ["peers/aquasecurity+fanal/analyzer/pkg/dpkg/corrupsed", [], 1],
    ["peers/quay+claircore/dpkg/vcpkg.status", [], 0],
  ])("reads the damaged database %s", (file, packages, problems) => {
    const findings = detectIn(dpkgDetector, { "var/lib/dpkg/status": badFile(file) });

    expect(findings.flatMap((found) => (found.kind === "package" ? [shownPackage(found.package)] : []))).toEqual(
      packages,
    );
    expect(findings.filter((found) => found.kind === "problem")).toHaveLength(problems);
  });

  it("reports a corrupt file of status.d", () => {
    const file = badFile("peers/anchore+syft/syft/pkg/cataloger/debian/var/lib/dpkg/status.d/corrupt");

    const findings = detectIn(dpkgDetector, { "var/lib/dpkg/status.d/corrupt": file });

    expect(findings.map((found) => found.kind)).toEqual(["database", "problem"]);
  });
});

function badFile(file: string): Uint8Array {
  const bytes = readFileSync(`${corpus}/data/bad/${file}`);
  return new Uint8Array(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
}

function shownPackage({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name} ${version}`;
}

function sorted(packages: readonly Record<string, unknown>[]) {
  return packages.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ name, arch, version }: Record<string, unknown>): string {
  return `${name} ${arch} ${version}`;
}
