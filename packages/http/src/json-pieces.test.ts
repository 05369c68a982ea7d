import { describe, expect, it } from "vitest";
import { jsonPieces, LongText } from "./json-pieces.ts";

async function portionsOf(value: unknown): Promise<string[]> {
  const portions: string[] = [];
  for await (const portion of jsonPieces(value)) portions.push(portion);
  return portions;
}

async function* listOf(...items: readonly unknown[]) {
  yield* items;
}

describe("jsonPieces", () => {
  it.each<[unknown]>([
    [{}],
    [[]],
    [{ a: {}, b: [], c: null, d: "x", e: 1.5, f: [1, [2, { g: true }]] }],
    [[{ a: { b: { c: 1 } } }, "x", null]],
    ["text"],
    [JSON.parse('{"__proto__": {"a": "\\u2028é"}}')],
    [{ at: new Date(0) }],
  ])("writes %j as JSON.stringify does", async (value) => {
    expect((await portionsOf(value)).join("")).toBe(JSON.stringify(value));
  });

  it("leaves out what is undefined", async () => {
    expect(await portionsOf({ a: undefined, b: { c: undefined } })).toEqual(['{"b":{}}']);
  });

  it("writes async iterables as arrays", async () => {
    expect((await portionsOf({ a: listOf(), b: listOf(1, { c: 2 }) })).join("")).toBe('{"a":[],"b":[1,{"c":2}]}');
  });

  it("writes a text in parts as one, also where a part ends within a character", async () => {
    const text = `"a\\n😀${"x".repeat(200_000)}`;
    const parts = [text.slice(0, 5), text.slice(5, 100_000), text.slice(100_000)];

    const portions = await portionsOf({ a: { b: new LongText(parts) } });

    expect(portions.length).toBeGreaterThan(1);
    expect(JSON.parse(portions.join(""))).toEqual({ a: { b: text } });
    expect(JSON.stringify(new LongText(parts))).toBe(JSON.stringify(text));
  });

  it("writes large values in several pieces", async () => {
    const value = {
      rows: Array.from({ length: 20_000 }, (_, index) => `row ${index}`),
      more: listOf("x".repeat(70_000)),
    };

    const portions = await portionsOf(value);

    expect(portions.length).toBeGreaterThan(3);
    expect(JSON.parse(portions.join("")).rows).toEqual(value.rows);
  });
});
