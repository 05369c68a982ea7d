import { cpuMsOf } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { bytesOf } from "../linux/fixtures/layer-files.ts";
import { parseApkInstalled } from "./installed-db.ts";

describe("parseApkInstalled", () => {
  it("reads the fields of a stanza", () => {
    const text = [
      "C:Q1qKcZ+j23xssAXmgQhkOO8dHnbWw=",
      ...["P:ssl_client", "V:1.36.1-r29", "A:x86_64", "S:4958", "T:External ssl_client for busybox wget"],
      ...["L:GPL-2.0-only", "o:busybox", "m:Somebody <a@example.org>", "c:66187892e05b", "D:so:libc.musl.so.1 musl"],
      ...["p:cmd:ssl_client=1.36.1-r29", "F:", "R:init", "F:usr", "F:usr/bin", "R:ssl_client", "a:0:0:755", "Z:Q1x="],
    ].join("\n");

    expect(parse(text)).toEqual({
      packages: [
        {
          name: "ssl_client",
          version: "1.36.1-r29",
          arch: "x86_64",
          origin: "busybox",
          commit: "66187892e05b",
          checksum: "Q1qKcZ+j23xssAXmgQhkOO8dHnbWw=",
          license: "GPL-2.0-only",
          maintainer: "Somebody <a@example.org>",
          description: "External ssl_client for busybox wget",
          depends: ["so:libc.musl.so.1", "musl"],
          provides: ["cmd:ssl_client=1.36.1-r29"],
          files: ["init", "usr/bin/ssl_client"],
        },
      ],
      problems: { count: 0, listed: [] },
    });
  });

  it.each<[string, string, string[]]>([
    ["nothing", "", []],
    ["no blank line at the end", "P:a\nV:1-r0\nA:x86_64", ["a 1-r0 -"]],
    ["several packages", "P:a\nV:1-r0\n\nP:b\nV:2-r0\n\n", ["a 1-r0 -", "b 2-r0 -"]],
    ["several blank lines", "\n\nP:a\nV:1-r0\n\n\n\nP:b\nV:2-r0\n", ["a 1-r0 -", "b 2-r0 -"]],
    ["letters in another order", "o:c\nV:1-r0\nP:a\n", ["a 1-r0 c"]],
    ["an empty origin", "P:a\nV:1-r0\no:\n", ["a 1-r0 -"]],
    ["letters that only differ in case", "P:a\nV:1-r0\np:x=1\nv:9\n", ["a 1-r0 -"]],
    ["line ends of Windows", "P:a\r\nV:1-r0\r\n\r\nP:b\r\nV:2-r0\r\n", ["a 1-r0 -", "b 2-r0 -"]],
    ["a version that apk would refuse", "P:a\nV:what is this\n", ["a what is this -"]],
    ["a package without files", "P:deps\nV:1\nI:0\n", ["deps 1 deps"]],
    ["a package with files", "P:deps\nV:1\nI:1\n", ["deps 1 -"]],
    ["a virtual package", "P:.build-deps\nV:20240101.120000\n", [".build-deps 20240101.120000 .build-deps"]],
  ])("reads %s", (_, text, expected) => {
    const { packages, problems } = parse(text);

    expect(packages.map(({ name, version, origin }) => `${name} ${version} ${origin ?? "-"}`)).toEqual(expected);
    expect(problems.count).toBe(0);
  });

  it.each<[string, string, string]>([
    ["no name", "V:1-r0\nA:x86_64\n", "expected a stanza with P"],
    ["no version", "P:a\nA:x86_64\n", 'expected V of "a"'],
    ["an empty version", "P:a\nV:\n", 'expected V of "a"'],
    ["a line without colon", "P:a\nV:1-r0\nwhat\n", 'expected "X:value", found "what"'],
    ["a line of one letter", "P:a\nV:1-r0\nX\n", 'expected "X:value", found "X"'],
    ["two names", "P:a\nV:1-r0\nP:c\n", "expected one line P:"],
    ["a zero byte in the version", "P:a\nV:1\0\n", "expected a short word"],
    ["an endless version", `P:a\nV:${"1".repeat(2000)}\n`, "expected a short word"],
  ])("skips a stanza with %s", (_, text, message) => {
    const { packages, problems } = parse(`${text}\nP:b\nV:2-r0\n`);

    expect(packages.map((found) => found.name)).toEqual(["b"]);
    expect(problems).toMatchObject({ count: 1, listed: [{ line: 1 }] });
    expect(problems.listed[0]?.message).toContain(message);
  });

  it.each<[string, string]>([
    ["8 MiB in one line", `P:a\nV:1\nT:${"x".repeat(8 << 20)}\n`],
    ["200 000 files", `P:a\nV:1\nF:usr\n${"R:x\n".repeat(200_000)}`],
    ["200 000 malformed stanzas", `P:a\nV:1\n\n${"x\n\n".repeat(200_000)}`],
  ])("takes less than 3 s of CPU time for %s", (_, text) => {
    const bytes = bytesOf(text);
    const names: unknown[] = [];

    const cpuMs = cpuMsOf(() => names.push(parseApkInstalled(bytes).packages[0]?.name));

    expect(names).toEqual(["a"]);
    expect(cpuMs).toBeLessThan(3000);
  });
});

function parse(text: string) {
  return parseApkInstalled(bytesOf(text));
}
