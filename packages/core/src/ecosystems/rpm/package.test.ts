import { describe, expect, it } from "vitest";
import {
  type BuiltEntry,
  type BuiltPackage,
  binary,
  buildHeader,
  numbers,
  packageHeader,
  text,
  texts,
} from "./fixtures/build-header.ts";
import { decodeHeader } from "./header.ts";
import { decodeRpmPackage, parseSourceRpm, readFileList, toFoundPackage } from "./package.ts";

const epoch = (value: number) => numbers(1003, [value]);
const sourceRpm = (fileName: string) => text(1044, fileName);

describe("decodeRpmPackage", () => {
  it("reads the tags of a header", () => {
    const more = [
      epoch(1),
      text(1011, "Fedora Project"),
      text(1014, "MIT"),
      text(1022, "x86_64"),
      sourceRpm("a-1.0-1.src.rpm"),
      texts(1047, ["a", "/usr/bin/a"]),
      texts(1049, ["b", "libc.so.6()(64bit)"]),
      texts(5046, ["c"]),
      text(5096, "nodejs:18:8080020230:abc"),
      binary(261, new Uint8Array(16).fill(0x0f)),
      texts(1027, ["/bin/a"]),
    ];

    const { files, digests, needs, owned, ...rest } = decode({ name: "a", more });

    expect(rest).toEqual({
      name: "a",
      epoch: 1,
      version: "1.0",
      release: "1",
      evr: "1:1.0-1",
      arch: "x86_64",
      sourcerpm: "a-1.0-1.src.rpm",
      modularityLabel: "nodejs:18:8080020230:abc",
      vendor: "Fedora Project",
      license: "MIT",
      recordNumber: 7,
      sigmd5: "0f".repeat(16),
    });
    expect([...files()]).toEqual(["bin/a"]);
    expect(needs()).toEqual({
      requires: ["b", "libc.so.6()(64bit)"],
      recommends: ["c"],
      provides: ["a", "/usr/bin/a"],
      programs: ["/bin/a"],
    });
  });

  it("leaves out tags that are absent, empty or (none)", () => {
    const { files, digests, needs, owned, ...rest } = decode({
      name: "a",
      more: [text(1011, "(none)"), sourceRpm("(none)"), text(1014, "")],
    });

    expect(rest).toEqual({ name: "a", version: "1.0", release: "1", evr: "1.0-1", recordNumber: 7 });
    expect([...files()]).toEqual([]);
    expect(needs()).toEqual({ requires: [], recommends: [], provides: [], programs: [] });
  });

  it.each([
    ["name", { name: "" }],
    ["version", { name: "a", version: "" }],
    ["release", { name: "a", release: "" }],
  ])("rejects a package without %s", (what, built) => {
    expect(() => decode(built)).toThrow(`the header has no ${what}`);
  });

  it("rejects an MD5 of another length", () => {
    expect(() => decode({ name: "a", more: [binary(261, new Uint8Array(17))] })).toThrow(
      "expected an MD5 of 16 bytes, found 17",
    );
  });
});

describe("toFoundPackage", () => {
  it("omits an epoch of 0", () => {
    expect(found({ name: "a", more: [epoch(0)] })).toEqual({ name: "a", version: "1.0-1", kind: "BINARY" });
  });

  it.each([
    ["gets the binary's epoch when version and release are equal", "perl-5.26.3-419.el8.src.rpm", "4:5.26.3-419.el8"],
    ["gets no epoch when the release differs", "perl-5.26.3-420.el8.src.rpm", "5.26.3-420.el8"],
    ["gets no epoch when the version differs", "perl-5.30.0-419.el8.src.rpm", "5.30.0-419.el8"],
  ])("a source %s", (_, fileName, version) => {
    const perl = { name: "perl-libs", version: "5.26.3", release: "419.el8" };

    expect(found({ ...perl, more: [epoch(4), sourceRpm(fileName)] })).toEqual({
      name: "perl-libs",
      version: "4:5.26.3-419.el8",
      kind: "BINARY",
      source: { name: "perl", version, kind: "SOURCE" },
    });
  });

  it.each([
    ["nodejs:18:8080020230:abc", "nodejs:18"],
    ["nodejs:18:8080020230:abc:x86_64", "nodejs:18"],
    ["nodejs:18", undefined],
    ["(none)", undefined],
  ])("turns the label %s into the module %s", (label, module) => {
    expect(found({ name: "node", more: [text(5096, label)] }).module).toBe(module);
  });

  it("has no source if the header's source file name cannot be split", () => {
    expect(found({ name: "a", more: [sourceRpm("a.src.rpm")] })).not.toHaveProperty("source");
  });
});

function decode(built: BuiltPackage) {
  return decodeRpmPackage({ kind: "record", recordNumber: 7, blob: packageHeader(built) });
}

function found(built: BuiltPackage) {
  return toFoundPackage(decode(built));
}

describe("parseSourceRpm", () => {
  it.each([
    ["bash-5.1-2.el9.src.rpm", "bash", "5.1-2.el9"],
    ["python-pip-wheel-21.2.3-8.el9.src.rpm", "python-pip-wheel", "21.2.3-8.el9"],
    ["driver-1-1.nosrc.rpm", "driver", "1-1"],
  ])("splits %s at the last two hyphens", (fileName, name, version) => {
    expect(parseSourceRpm(fileName)).toEqual({ name, version });
  });

  it.each(["", "bash", "bash-5.1.src.rpm", "-5.1-2.src.rpm", "bash-5.1-2.x86_64.rpm", "bash--2.src.rpm"])(
    "finds no source in %j",
    (fileName) => {
      expect(parseSourceRpm(fileName)).toBeUndefined();
    },
  );
});

const folders = texts(1118, ["/usr/bin/", "/", ""]);
const names = texts(1117, ["bash", "sh", "etc", "relative"]);

describe("readFileList", () => {
  it("joins folders and names, without the leading slash", () => {
    expect(listOf(folders, names, numbers(1116, [0, 0, 1, 2]))).toEqual([
      "usr/bin/bash",
      "usr/bin/sh",
      "etc",
      "relative",
    ]);
  });

  it("reads the whole paths of rpm 3", () => {
    expect(listOf(texts(1027, ["/bin/sh", "/etc/profile"]))).toEqual(["bin/sh", "etc/profile"]);
  });

  it("is empty for a package without files", () => {
    expect(listOf(text(1000, "metapackage"))).toEqual([]);
  });

  it.each<[string, BuiltEntry[], RegExp]>([
    [
      "an index outside of the folders",
      [folders, names, numbers(1116, [0, 0, 3, 0])],
      /one of 3 folders, found index 3/,
    ],
    ["a huge index", [folders, names, numbers(1116, [0xffffffff, 0, 0, 0])], /found index 4294967295/],
    ["too few indexes", [folders, names, numbers(1116, [0])], /a folder for each of 4 files, found 1/],
    ["no indexes", [folders, names], /found 0/],
    ["no folders", [names, numbers(1116, [0, 0, 0, 0])], /one of 0 folders/],
    ["an immense folder", [texts(1118, ["a".repeat(5000)]), texts(1117, ["a"]), numbers(1116, [0])], /at most 4096/],
  ])("rejects %s", (_, entries, message) => {
    expect(() => listOf(...entries)).toThrow(message);
  });
});

function listOf(...entries: BuiltEntry[]): readonly string[] {
  return [...readFileList(decodeHeader(buildHeader(entries)))];
}
