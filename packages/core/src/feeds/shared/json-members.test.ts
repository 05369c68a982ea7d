import { describe, expect, it } from "vitest";
import { collect } from "./fixtures/items-of.ts";
import { jsonMembers } from "./json-members.ts";

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    buffer.set(bytes.subarray(at, at + size));
    yield buffer.subarray(0, Math.min(size, bytes.length - at));
  }
}

async function read(text: string, size = 7): Promise<[string, unknown][]> {
  const members = await collect(jsonMembers(chunksOf(text, size), "feed.json"));
  return members.map(([name, { value }]) => [name, value]);
}

describe("jsonMembers", () => {
  it.each([
    ["{}", []],
    [" \n{ }\n ", []],
    ["\uFEFF{}", []],
    ['{"a":1}', [["a", 1]]],
    [
      '{"a":{"b":[1,2,{"c":"}"}]},"d":"\\",{\\\\","e":null}',
      [
        ["a", { b: [1, 2, { c: "}" }] }],
        ["d", '",{\\'],
        ["e", null],
      ],
    ],
    ['{"__proto__":{"é":"日本"}}', [["__proto__", { é: "日本" }]]],
  ])("reads %s", async (text, members) => {
    expect(await read(text)).toEqual(members);
  });

  it.each([
    ["", "found the end of the document"],
    ["null", "found the end of the document"],
    ["[{}]", "expected a JSON object"],
    ["x{}", "expected a JSON object"],
    ['{"a":{', "found the end of the document"],
    ['{"a":1', "found the end of the document"],
    ['{"a":1}{"b":2}', "expected"],
    ['{"a":1} trailing', "more after it"],
    ['{"a":1,}', "expected one member"],
    ['{,"a":1}', "expected one member"],
    ['{"a":1,,"b":2}', "expected one member"],
    ['{"a" 1}', "expected JSON"],
    ["}", "found the end of the document"],
  ])("refuses %j", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "malformed_feed",
      message: expect.stringContaining(message),
    });
    await expect(read(text)).rejects.toThrow("feed.json");
  });

  it("refuses a document that is cut off anywhere", async () => {
    const text = '{"a":{"b":[1,"x"]},"c":2}';

    for (let length = 0; length < text.length; length++) {
      await expect(read(text.slice(0, length))).rejects.toMatchObject({ code: "malformed_feed" });
    }
  });
});
