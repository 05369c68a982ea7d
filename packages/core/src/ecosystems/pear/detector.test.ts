import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";

const text = (value: string) => `s:${value.length}:"${value}";`;
const array = (members: Readonly<Record<string, string>>) =>
  `a:${Object.keys(members).length}:{${Object.entries(members)
    .map(([key, value]) => text(key) + value)
    .join("")}}`;

const redis = array({
  name: text("redis"),
  channel: text("pecl.php.net"),
  version: array({ release: text("5.3.7"), api: text("5.3.0") }),
  filelist: array({ "redis.so": array({ role: text("ext") }) }),
});
const tar = array({ package: text("Archive_Tar"), version: text("1.4.14"), stable: "b:1;" });

describe("pearDetector", () => {
  it.each([
    ["an extension", "usr/local/lib/php/.registry/.channel.pecl.php.net/redis.reg", redis, "pecl.php.net/redis 5.3.7"],
    ["a package in the old form", "usr/share/php/.registry/archive_tar.reg", tar, "pear.php.net/Archive_Tar 1.4.14"],
    ["no version", "a/.registry/b.reg", array({ name: text("b") }), "pear.php.net/b "],
  ])("finds %s", async (_, path, content, expected) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([`${expected} (pear) ${path}`]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each([
    ["nothing", "", "expected more bytes"],
    ["no array", text("a"), "expected the name of a PEAR package"],
    ["no name", "a:0:{}", "expected the name of a PEAR package"],
    ["more than a record", "a".repeat(17 * 1024 ** 2), "at most 16777216 bytes"],
  ])("makes a problem of %s", async (_, content, message) => {
    expect(listProblems(await indexLayers([[fileOf("a/.registry/b.reg", content)]]))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it.each(["a/.registry/.channel.a/.alias/b.reg", "etc/b.reg"])("ignores %s", async (path) => {
    expect(listProblems(await indexLayers([[fileOf(path, "")]]))).toEqual([]);
  });
});
