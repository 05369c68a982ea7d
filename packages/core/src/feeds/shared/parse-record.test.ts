import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse-record.ts";

const parse = (text: string) => parseYaml(new TextEncoder().encode(text), "a.yaml");

describe("parseYaml", () => {
  it.each([
    ["versions as they are written", "- 1.10\n- 0x1F\n- 2013-0269\n- yes", ["1.10", "0x1F", "2013-0269", "yes"]],
    ["nulls", "{a: , b: ~, c: null, d: ''}", { a: null, b: null, c: null, d: "" }],
    ["blocks of text", "a: |\n  one\n  two\nb: >\n  one\n  two\n", { a: "one\ntwo\n", b: "one two\n" }],
    ["a marked document", "---\na: [b, c]\n", { a: ["b", "c"] }],
  ])("reads %s", (_, text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it.each([
    ["a text", "hello"],
    ["nothing", ""],
    ["a page", "<!doctype html><html></html>"],
    ["an alias", "a: &x [1]\nb: *x"],
    [
      "an alias bomb",
      `a: &a [x,x]\n${[..."bcdefghi"].map((c, i) => `${c}: &${c} [*${"abcdefghi"[i]},*${"abcdefghi"[i]}]`).join("\n")}`,
    ],
    ["two documents", "a: 1\n---\nb: 2"],
    ["a key that comes twice", "a: 1\na: 2"],
    ["sequences without end", "[".repeat(100_000)],
    ["too many bytes", `a: ${"x".repeat(5 * 1024 ** 2)}`],
  ])("refuses %s", (_, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "malformed_feed" }));
  });

  it("refuses what is not UTF-8", () => {
    expect(() => parseYaml(Uint8Array.of(0x61, 0x3a, 0x20, 0xff), "a.yaml")).toThrow("a.yaml: expected YAML");
  });
});
