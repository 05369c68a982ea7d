import { describe, expect, it } from "vitest";
import { collect } from "./fixtures/items-of.ts";
import { textLines } from "./text-lines.ts";

async function* inPieces(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    buffer.set(bytes.subarray(at, at + size));
    yield buffer.subarray(0, Math.min(size, bytes.length - at));
  }
}

describe("textLines", () => {
  it.each([
    ["", []],
    ["\n", [""]],
    ["a\nbc\n", ["a", "bc"]],
    ["a\nbc", ["a", "bc"]],
    ["a\r\n\r\nb\n", ["a", "", "b"]],
    ["日本\né\n", ["日本", "é"]],
  ])("reads %j in pieces of any size", async (text, lines) => {
    for (const size of [1, 2, 3, 100]) expect(await collect(textLines(inPieces(text, size), "x"))).toEqual(lines);
  });

  it.each([
    ["a".repeat(70_000), "feed.csv: expected lines of at most 65536 bytes"],
    [`${"a".repeat(70_000)}\n`, "feed.csv: expected lines of at most 65536 bytes"],
    [Uint8Array.of(0xff, 0x0a), "feed.csv: expected UTF-8"],
  ])("refuses %j", async (text, message) => {
    const lines = collect(textLines(inPieces(text, 100_000), "feed.csv"));

    await expect(lines).rejects.toMatchObject({ code: "malformed_feed", message: expect.stringContaining(message) });
  });
});
