import { cpuMsOf } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { bytesOf } from "../linux/fixtures/layer-files.ts";
import { parseDeb822 } from "./deb822.ts";

describe("parseDeb822", () => {
  it.each<[string, string, Record<string, string>[]]>([
    ["nothing", "", []],
    ["only blank lines", "\n \n\t\n", []],
    ["a field without a final line end", "A: 1", [{ a: "1" }]],
    ["names in any case", "PACKAGE: x\nVerSion: 1\n", [{ package: "x", version: "1" }]],
    ["no blank after the colon", "A:1\nB:\n", [{ a: "1", b: "" }]],
    ["colons in the value", "A: 1:2-3\n", [{ a: "1:2-3" }]],
    ["blanks around the value", "A: \t 1 \t\n", [{ a: "1" }]],
    ["continuation lines", "A: 1\n 2\n\t3\nB: 4\n", [{ a: "1\n 2\n\t3", b: "4" }]],
    ["a first line without value", "A:\n x\n", [{ a: "x" }]],
    ["several stanzas", "A: 1\n\n\nB: 2\n\n", [{ a: "1" }, { b: "2" }]],
    ["blanks in the line between", "A: 1\n \t\nB: 2\n", [{ a: "1" }, { b: "2" }]],
    ["line ends of Windows", "A: 1\r\nB: 2\r\n\r\nC: 3\r\n", [{ a: "1", b: "2" }, { c: "3" }]],
    ["a stray carriage return", "A: 1\r\r\nB: 2\rx\n", [{ a: "1", b: "2 x" }]],
    ["a byte order mark", "\u{feff}A: 1\n", [{ a: "1" }]],
    ["letters outside ASCII in a value", "A: é ü\n", [{ a: "é ü" }]],
  ])("reads %s", (_, text, expected) => {
    const stanzas = [...parseDeb822(bytesOf(text))];

    expect(stanzas.map((stanza) => stanza.kind)).toEqual(expected.map(() => "stanza"));
    expect(stanzas.map((stanza) => Object.fromEntries(stanza.fields))).toEqual(expected);
  });

  it.each<[string, string, number]>([
    ["a line without colon", "A: 1\nB 2\nC: 3\n\nD: 4\n", 2],
    ["an empty name", ": 1\n\nD: 4\n", 1],
    ["a blank in the name", "A b: 1\n\nD: 4\n", 1],
    ["a comment", "#A: 1\n\nD: 4\n", 1],
    ["a continuation of nothing", " 1\nA: 2\n\nD: 4\n", 1],
    ["bytes that are not text", "\0\u{fffd}: 1\n\nD: 4\n", 1],
    ["a name that occurs twice", "A: 1\nB: 2\na: 3\n\nD: 4\n", 3],
  ])("skips a stanza with %s and continues after the blank line", (_, text, line) => {
    const [first, second, ...rest] = parseDeb822(bytesOf(text));

    expect(first).toMatchObject({ kind: "malformed", line });
    expect(second?.fields).toEqual(new Map([["d", "4"]]));
    expect(rest).toEqual([]);
  });

  it("counts lines from 1 and says what was found", () => {
    const [, second] = parseDeb822(bytesOf("A: 1\n x\n\nB: 1\nwrong\n"));

    expect(second).toMatchObject({ line: 5, message: 'expected "Name: value", found "wrong"' });
  });

  it.each<[string, string]>([
    ["8 MiB in one line", `A: 1\nB: ${"x".repeat(8 << 20)}\n`],
    ["8 MiB of blanks in one line", `A: 1\nB: x\n ${" ".repeat(8 << 20)}x\n`],
    ["200 000 continuation lines", `A: 1\nB:\n${" x\n".repeat(200_000)}`],
    ["200 000 malformed lines", `A: 1\n\n${"x\n".repeat(200_000)}`],
    ["200 000 malformed stanzas", `A: 1\n\n${"x\n\n".repeat(200_000)}`],
    ["8 MiB without a colon", `A: 1\n\n${"x".repeat(8 << 20)}`],
  ])("takes less than 3 s of CPU time for %s", (_, text) => {
    const bytes = bytesOf(text);
    const firsts: unknown[] = [];

    const cpuMs = cpuMsOf(() => firsts.push([...parseDeb822(bytes)][0]?.fields.get("a")));

    expect(firsts).toEqual(["1"]);
    expect(cpuMs).toBeLessThan(3000);
  });
});
