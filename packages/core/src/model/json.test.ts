import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { parseJson } from "./json.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("parseJson", () => {
  it.each([
    ["an object", '{"a": [1, "x", true, null]}', { a: [1, "x", true, null] }],
    ["a byte order mark before the document", '\uFEFF{"a":1}', { a: 1 }],
    ["the last of two members of one name", '{"id":"A","id":"B"}', { id: "B" }],
    ["brackets inside a string", JSON.stringify("[".repeat(2000)), "[".repeat(2000)],
    ["a quoted quote before brackets", JSON.stringify({ a: `"${"[".repeat(600)}` }), { a: `"${"[".repeat(600)}` }],
    ["500 levels", "[".repeat(500) + "]".repeat(500), JSON.parse("[".repeat(500) + "]".repeat(500))],
  ])("reads %s", (_, text, expected) => {
    expect(parseJson(encode(text), "the document")).toEqual(expected);
  });

  it.each([
    ["no bytes", new Uint8Array(), /^the document: expected a JSON document, found no bytes$/],
    ["null", encode("null"), /^the document: expected a JSON document, found null$/],
    ["a truncated document", encode('{"a": [1, 2'), /^the document: expected JSON: /],
    ["a trailing comma", encode('{"a":1,}'), /^the document: expected JSON: /],
    ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0xfe, 0x22), /^the document: expected UTF-8/],
    ["501 levels", encode("[".repeat(501) + "]".repeat(501)), /nested more than 500 levels/],
    ["100 000 levels", encode("[".repeat(100_000) + "]".repeat(100_000)), /nested more than 500 levels/],
    ["100 000 levels of objects", encode('{"a":'.repeat(100_000)), /nested more than 500 levels/],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => parseJson(bytes, "the document")).toThrow(message);
    expect(() => parseJson(bytes, "the document")).toThrow(ScanError);
  });

  it("throws the code it is given", () => {
    const parse = () => parseJson(encode("{"), "feed.json", "malformed_feed");

    expect(parse).toThrow(expect.objectContaining({ code: "malformed_feed" }));
  });
});
