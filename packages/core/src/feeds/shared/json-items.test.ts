import { describe, expect, it } from "vitest";
import { collect } from "./fixtures/items-of.ts";
import { jsonItems } from "./json-items.ts";

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    buffer.set(bytes.subarray(at, at + size));
    yield buffer.subarray(0, Math.min(size, bytes.length - at));
  }
}

async function* textsOf(text: string, size: number): AsyncGenerator<string> {
  for await (const item of jsonItems(chunksOf(text, size), { location: "feed.json", member: "list" })) {
    yield new TextDecoder().decode(item);
  }
}

const read = (text: string, size = 7) => collect(textsOf(text, size));

describe("jsonItems", () => {
  it.each([
    ['{"list":[]}', []],
    ['\uFEFF { "list" : [ ] } \n', []],
    ['{"list":[1,"a",{"b":[2,{"c":"],}"}]}]}', ["1", '"a"', '{"b":[2,{"c":"],}"}]}']],
    ['{"a":{"list":[1]},"b":[[2],3],"c":"list","list":["é\\"]",4],"d":[5]}', ['"é\\"]"', "4"]],
    ['{"list":[nonsense,{"b":1}]}', ["nonsense", '{"b":1}']],
    ['{"list":[1,]}', ["1", ""]],
  ])("reads %s in chunks of any size", async (text, items) => {
    for (const size of [1, 2, 3, 7, 1_000]) expect(await read(text, size)).toEqual(items);
  });

  it.each([
    ["", "found the end of the document"],
    ["<!doctype html>", "found the end of the document"],
    ["<p>{}</p>", "expected a JSON object"],
    ["[{}]", "expected a JSON object"],
    ["]", "expected a JSON object"],
    ["{}", 'expected an array "list"'],
    ['{"list":{"a":[1]}}', 'expected an array "list"'],
    ['{"list":[1]', "found the end of the document"],
    ['{"list":[1]}{"list":[2]}', "expected the end of the document"],
    ['{"list":[1]} more', "more after it"],
  ])("refuses %j", async (text, message) => {
    const refused = { code: "malformed_feed", message: expect.stringContaining(message) };

    await expect(read(text)).rejects.toMatchObject(refused);
    await expect(read(text)).rejects.toThrow("feed.json");
  });

  it("refuses a document that is cut off anywhere", async () => {
    const whole = '{"a":[1],"list":[{"b":"]"},2]}';

    for (let length = 0; length < whole.length; length++) {
      await expect(read(whole.slice(0, length))).rejects.toMatchObject({ code: "malformed_feed" });
    }
  });

  it("refuses an item that is too large, and does not keep what is none", async () => {
    const large = `"${"a".repeat(17 * 1024 ** 2)}"`;

    await expect(read(`{"list":[${large}]}`, 1024 ** 2)).rejects.toThrow("an item of more than");
    expect(await read(`{"other":[${large}],"list":[1]}`, 1024 ** 2)).toEqual(["1"]);
  });
});
