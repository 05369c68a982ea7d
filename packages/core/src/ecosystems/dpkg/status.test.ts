import { describe, expect, it } from "vitest";
import { bytesOf } from "../linux/fixtures/layer-files.ts";
import { type DpkgPackage, parseDpkgStatus } from "./status.ts";

describe("parseDpkgStatus", () => {
  it("reads the fields of a stanza", () => {
    const { format, packages, problems } = parse(
      "Package: libc6\nStatus: install ok installed\nSection: libs\nMaintainer: GNU Libc <x@debian.org>\n" +
        "Architecture: amd64\nSource: glibc (2.36-9)\nVersion: 2.36-9+b1\n",
    );

    expect({ format, packages, problems: problems.count }).toEqual({
      format: "dpkg",
      packages: [
        {
          name: "libc6",
          version: "2.36-9+b1",
          arch: "amd64",
          source: "glibc",
          sourceVersion: "2.36-9",
          maintainer: "GNU Libc <x@debian.org>",
          section: "libs",
          want: "install",
          status: "installed",
          installed: true,
        },
      ],
      problems: 0,
    });
  });

  it.each<[status: string, installed: boolean]>([
    ["install ok installed", true],
    ["hold ok installed", true],
    ["deinstall ok installed", true],
    ["purge ok installed", true],
    ["deinstall reinstreq installed", true],
    ["install user installed", true],
    ["Install OK Installed", true],
    ["install  ok\tinstalled", true],
    ["deinstall ok config-files", false],
    ["purge ok config-files", false],
    ["install reinstreq half-installed", true],
    ["install ok half-configured", true],
    ["install ok unpacked", true],
    ["install ok triggers-awaited", true],
    ["install ok triggers-pending", true],
    ["deinstall ok half-configured", true],
    ["install ok post-inst-failed", true],
    ["unknown ok not-installed", false],
    ["installed", false],
    ["install installed", false],
    ["", false],
  ])("reads the state %j as installed: %s", (status, installed) => {
    expect(first(`Package: a\nStatus: ${status}\nVersion: 1\n`)?.installed).toBe(installed);
  });

  it("reads a missing Status as installed only in status.d", () => {
    const bytes = bytesOf("Package: a\nVersion: 1\n");

    expect(parseDpkgStatus(bytes).packages[0]?.installed).toBe(false);
    expect(parseDpkgStatus(bytes, "status.d").packages[0]?.installed).toBe(true);
  });

  it.each<[source: string | undefined, name: string, version: string]>([
    [undefined, "a", "2:1-1+b1"],
    ["", "a", "2:1-1+b1"],
    ["b", "b", "2:1-1+b1"],
    ["b (1-1)", "b", "1-1"],
    ["b(1-1)", "b", "1-1"],
    ["b  ( 1-1 ) ", "b", "1-1"],
    ["b (1-1", "b", "1-1"],
    ["b ()", "b", "2:1-1+b1"],
    ["(1-1)", "a", "1-1"],
  ])("reads Source %j as %s of version %s", (source, name, version) => {
    const field = source === undefined ? "" : `Source: ${source}\n`;

    expect(first(`Package: a\n${field}Version: 2:1-1+b1\nStatus: install ok installed\n`)).toMatchObject({
      source: name,
      sourceVersion: version,
    });
  });

  it("keeps a version that dpkg would refuse", () => {
    expect(first("Package: a\nStatus: install ok installed\nVersion: not a version!!\n")?.version).toBe(
      "not a version!!",
    );
  });

  it.each<[string, string, string]>([
    ["no name", "Version: 1\nStatus: install ok installed\n", "line 1: expected a stanza with Package"],
    ["no version", "Package: a\nStatus: install ok installed\n", 'expected a Version of "a"'],
    ["no version, half installed", "Package: a\nStatus: install ok half-installed\n", 'expected a Version of "a"'],
    ["a version of two lines", "Package: a\nVersion: 1\n 2\n", "expected one short line"],
    ["a zero byte in the name", "Package: a\0\nVersion: 1\n", "expected one short line"],
    ["an endless name", `Package: ${"a".repeat(2000)}\nVersion: 1\n`, "expected one short line"],
    ["a line that is not a field", "Package: a\nVersion: 1\nwhat\n", "line 3: expected"],
  ])("skips a stanza with %s", (_, text, message) => {
    const { packages, problems } = parse(`${text}\nPackage: b\nVersion: 2\n`);

    expect(packages.map((found) => found.name)).toEqual(["b"]);
    expect(problems.count).toBe(1);
    expect(`line ${problems.listed[0]?.line}: ${problems.listed[0]?.message}`).toContain(message);
  });

  it("ignores packages that were never installed and have no version", () => {
    const { packages, problems } = parse("Package: a\nStatus: purge ok not-installed\nPriority: optional\n");

    expect(packages).toEqual([]);
    expect(problems.count).toBe(0);
  });

  it.each<[string, string, "dpkg" | "vcpkg" | "unknown"]>([
    ["a feature", "Package: a\nVersion: 1\n\nPackage: a\nFeature: ssl\nArchitecture: x64-windows\n", "vcpkg"],
    ["a port version", "Package: a\nVersion: 1\nPort-Version: 2\n", "vcpkg"],
    ["default features", "Package: a\nVersion: 1\nDefault-Features: x\n", "vcpkg"],
    ["a feature beside sizes", "Package: a\nVersion: 1\nFeature: x\nInstalled-Size: 3\n", "dpkg"],
    ["nothing", "", "unknown"],
    ["a script", "#!/bin/sh\nset -e\n\ncase $1 in\n", "unknown"],
    ["a field among garbage", "garbage\n\nPakij: apt\n", "dpkg"],
  ])("recognizes the format of a file with %s", (_, text, format) => {
    const status = parse(text);

    expect(status.format).toBe(format);
    if (format === "vcpkg") expect(status).toMatchObject({ packages: [], problems: { count: 0 } });
  });

  it("lists only the first problems of a hostile file", () => {
    const { problems } = parse("x\n\n".repeat(100_000));

    expect(problems.count).toBe(100_000);
    expect(problems.listed).toHaveLength(5);
  });
});

function parse(text: string) {
  return parseDpkgStatus(bytesOf(text));
}

function first(text: string): DpkgPackage | undefined {
  return parse(text).packages[0];
}
