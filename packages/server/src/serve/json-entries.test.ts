import { streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type JsonEntry, readJsonEntries } from "./json-entries.ts";

const options = { what: "document", maxEntryLength: 200 };

async function entriesOf(text: string, chunk: number): Promise<readonly JsonEntry[]> {
  const entries: JsonEntry[] = [];
  const bytes = new TextEncoder().encode(text);
  for await (const entry of readJsonEntries(streamBytes(bytes, chunk), options)) entries.push(entry);
  return entries;
}

describe("readJsonEntries", () => {
  it.each<[string, string, readonly JsonEntry[]]>([
    ["nothing", "{}", []],
    ["empty sections", ' { "a" : [ ] , "b":{} } ', []],
    [
      "arrays",
      '{"a":[1,[2,{"x":[]}]],"b":["c"]}',
      [
        { section: "a", value: 1 },
        { section: "a", value: [2, { x: [] }] },
        { section: "b", value: "c" },
      ],
    ],
    [
      "objects",
      '{"a":{"b":{"c":[1,2]},"d":null}}',
      [
        { section: "a", name: "b", value: { c: [1, 2] } },
        { section: "a", name: "d", value: null },
      ],
    ],
    [
      "plain members",
      '{"a":1,"b":[2],"c":"3"}',
      [
        { section: "a", value: 1 },
        { section: "b", value: 2 },
        { section: "c", value: "3" },
      ],
    ],
    [
      "texts with what looks like structure",
      '{"a\\"":["],[\\\\","ü\\u0022{"]}',
      [
        { section: 'a"', value: "],[\\" },
        { section: 'a"', value: 'ü"{' },
      ],
    ],
  ])("reads %s, however it is cut", async (_, text, expected) => {
    for (const chunk of [1, 2, 3, 1_000]) expect(await entriesOf(text, chunk)).toEqual(expected);
  });

  it.each([
    "",
    "[]",
    "1",
    "{",
    '{"a":[1',
    '{"a":[1]',
    '{"a":[x]}',
    '{"a":[1]} {}',
    '{"a":[1]}]',
    '{"a":[1}}',
    '{"a":{"b":1]}',
    '{"a":1]',
    "{},",
    '{"a":{1}}',
    '{"a"}',
    `{"a":["${"x".repeat(300)}"]}`,
  ])("refuses %s", async (text) => {
    await expect(entriesOf(text, 7)).rejects.toMatchObject({ code: "malformed_report" });
  });

  it("rejects invalid UTF-8", async () => {
    const read = readJsonEntries(streamBytes(Uint8Array.of(0x7b, 0xff, 0x7d), 1), options);

    await expect(read.next()).rejects.toMatchObject({ code: "malformed_report" });
  });
});
