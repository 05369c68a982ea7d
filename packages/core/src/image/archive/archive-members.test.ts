import { buildTar, buildTarWithoutEnd, longNameMember, paxMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fileInput, streamInput } from "./archive-input.ts";
import { readMembers } from "./archive-members.ts";
import { blobAccess } from "./random-access.ts";

const limits = { maxEntries: 6, maxMetaBytes: 10_000, maxPathBytes: 300 };

/** From a file and as a stream; the two must agree. */
async function readBoth(bytes: Uint8Array): Promise<readonly string[]> {
  async function* whole() {
    yield bytes;
  }
  const file = fileInput(blobAccess(new Blob([Uint8Array.from(bytes)])));
  const [stored, streamed] = [await list(file), await list(streamInput(whole()))];
  expect(streamed).toEqual(stored);
  return stored;
}

async function list(input: Parameters<typeof readMembers>[0]): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    for await (const { name, kind, linkName, sizeBytes } of readMembers(input, limits)) {
      found.push([name, kind, ...(linkName === "" ? [] : [linkName]), sizeBytes].join(" "));
    }
  } catch (error) {
    found.push(String(error));
  }
  return found;
}

describe("readMembers", () => {
  it.each<[string, Uint8Array, readonly string[]]>([
    ["a leading ./", buildTar({ name: "./a/./b", content: "x" }), ["a/b file 1"]],
    ["a leading slash", buildTar({ name: "/a", content: "x" }), ["a file 1"]],
    ["a name that leads out", buildTar({ name: "../a", content: "x" }, { name: "b" }), ["b file 0"]],
    [
      "folders and devices",
      buildTar({ name: "a/", type: "5" }, { name: "c", type: "3" }, { name: "p", type: "6" }),
      [],
    ],
    ["a folder of old archives", buildTar({ name: "a/", format: "v7" }), []],
    [
      "old and contiguous files",
      buildTar({ name: "a", type: "\0" }, { name: "b", type: "7" }),
      ["a file 0", "b file 0"],
    ],
    [
      "links",
      buildTar({ name: "a", type: "1", linkName: "b" }, { name: "c", type: "2", linkName: "../d" }),
      ["a hard-link b 0", "c symbolic-link ../d 0"],
    ],
    [
      "a link that states a size",
      buildTar({ name: "a", type: "1", linkName: "b", fields: { 124: "00000001000" } }, { name: "c" }),
      ["a hard-link b 0", "c file 0"],
    ],
    [
      "GNU long names",
      buildTar(longNameMember("n".repeat(200)), { name: "n", content: "x" }, { name: "o" }),
      [`${"n".repeat(200)} file 1`, "o file 0"],
    ],
    [
      "GNU long link names",
      buildTar(longNameMember("t".repeat(200), "K"), { name: "n", type: "2" }),
      [`n symbolic-link ${"t".repeat(200)} 0`],
    ],
    [
      "pax names and sizes",
      buildTar(
        paxMember([
          ["path", "p"],
          ["size", "1"],
        ]),
        { name: "n", content: "x" },
        { name: "o" },
      ),
      ["p file 1", "o file 0"],
    ],
    [
      "pax links",
      buildTar(paxMember([["linkpath", "t"]]), { name: "n", type: "2", linkName: "u" }),
      ["n symbolic-link t 0"],
    ],
    ["global pax records", buildTar(paxMember([["comment", "x"]], "g"), { name: "n" }), ["n file 0"]],
    ["no end mark", buildTarWithoutEnd({ name: "a", content: "x" }), ["a file 1"]],
    [
      "anything after the end mark",
      Buffer.concat([buildTar({ name: "a" }), Buffer.from("x".repeat(600))]),
      ["a file 0"],
    ],
    ["an empty archive", buildTar(), []],
    [
      "unknown types",
      buildTar({ name: "v", type: "V" }, { name: "d", type: "D", content: "x" }, { name: "b" }),
      ["b file 0"],
    ],
  ])("reads %s", async (_name, bytes, members) => {
    expect(await readBoth(bytes)).toEqual(members);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(0), /malformed|at byte 0/],
    ["a wrong checksum", buildTar({ name: "a", checksum: "wrong" }), /checksum/],
    [
      "a content that is cut off",
      buildTarWithoutEnd({ name: "a", content: "x".repeat(600) }).subarray(0, 1000),
      /cut off/,
    ],
    ["a header that is cut off", buildTar({ name: "a" }).subarray(0, 600), /88 bytes/],
    ["a size that lies", buildTar({ name: "a", fields: { 124: "77777777777" } }), /cut off/],
    [
      "a negative size",
      buildTar({ name: "a", fields: { 124: new Uint8Array(12).fill(0xff) } }),
      /size is not a number/,
    ],
    ["sparse files", buildTar({ name: "a", type: "S" }), /sparse/],
    ["too many entries", buildTar(...Array.from({ length: 7 }, (_, i) => ({ name: `n${i}` }))), /more than 6 entries/],
    ["a meta record that is too large", buildTar(longNameMember("n".repeat(10_000)), { name: "a" }), /more than 10000/],
    ["a meta record that is cut off", buildTarWithoutEnd(longNameMember("n".repeat(600))).subarray(0, 700), /cut off/],
    ["a name that is too long", buildTar(longNameMember("n".repeat(301)), { name: "a" }), /more than 300 bytes/],
  ])("refuses %s", async (_name, bytes, message) => {
    expect((await readBoth(bytes)).at(-1)).toMatch(message);
  });
});
