import { describe, expect, it } from "vitest";
import { qualifierOf } from "./qualifier.ts";
import { parse } from "./version.ts";

const one = { kind: "number", digits: "1" };
const two = { kind: "number", digits: "2" };
const alpha = { kind: "word", qualifier: qualifierOf("alpha") };

describe("parse", () => {
  it.each([
    ["1.2", [one, two]],
    ["1-2", [one, { kind: "list", items: [two] }]],
    ["1.0.0", [one]],
    ["1.0-Alpha", [one, { kind: "list", items: [alpha] }]],
    ["1.alpha", [one, { kind: "list", items: [alpha] }]],
    ["1-a2", [one, { kind: "list", items: [{ ...alpha, digits: "2" }] }]],
    ["1-alpha-2", [one, { kind: "list", items: [{ ...alpha, digits: "2" }] }]],
    ["0-alpha", [alpha]],
  ])("reads %j", (text, version) => {
    expect(parse(text)).toEqual(version);
  });

  it("refuses a text of more than 1000 characters", () => {
    expect(() => parse("1-".repeat(501))).toThrow(expect.objectContaining({ code: "malformed_version" }));
  });

  it("names the text that is no version", () => {
    expect(() => parse("[1.0,2.0)")).toThrow('expected a Maven version, found "[1.0,2.0)"');
  });
});
