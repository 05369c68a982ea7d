import { describe, expect, it } from "vitest";
import { shortJson } from "./short-json.ts";

async function* listOf(...items: readonly unknown[]) {
  yield* items;
}

describe("shortJson", () => {
  it.each<[unknown]>([
    ["text"],
    [null],
    [{}],
    [[]],
    [{ a: undefined, b: [undefined, true, 1.5, "é"], c: { d: { e: null } } }],
    [JSON.parse('{"__proto__": {"a": "\\u2028"}}')],
    ["x".repeat(8_000)],
    [Array.from({ length: 4_000 }, (_, index) => index)],
  ])("writes %j as JSON.stringify does", (value) => {
    expect(shortJson(value)).toBe(JSON.stringify(value));
  });

  it.each<[string, unknown]>([
    ["a long text", "x".repeat(9_000)],
    ["many numbers", Array.from({ length: 9_000 }, () => 1)],
    ["many members", Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`name${index}`, 1]))],
    ["much in the depth", { a: [{ b: ["x".repeat(5_000)] }, { b: ["x".repeat(5_000)] }] }],
    ["what comes while it is written", { items: listOf(1) }],
    ["what writes itself", { at: new Date(0) }],
    ["nothing", undefined],
  ])("leaves %s to others", (_, value) => {
    expect(shortJson(value)).toBeUndefined();
  });
});
