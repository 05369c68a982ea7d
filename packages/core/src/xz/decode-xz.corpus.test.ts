import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { inChunks } from "../bytes/fixtures/in-chunks.ts";
import { decodeXz } from "./decode-xz.ts";

const corpus = findCorpus();

describe.skipIf(corpus === undefined)("decodeXz", () => {
  it.each([
    ["-0"],
    ["-9e"],
    ["--lzma2=preset=6,lc=0,lp=4,pb=0"],
    ["--lzma2=preset=6,lc=2,lp=2,pb=4,dict=4KiB"],
    ["--block-size=200000", "-T2"],
  ])("gives back what xz %s has compressed", async (...options) => {
    const path = `${corpus}/data/feeds/azurelinux-oval/azl3/azurelinux-3.0-oval.xml`;
    const compressed = execFileSync("xz", ["-k", "-c", ...options, path], { maxBuffer: 2 ** 28 });

    const pieces: Uint8Array[] = [];
    for await (const piece of decodeXz(inChunks(compressed, [1, 65_536, 4099]))) pieces.push(piece.slice());
    expect(Buffer.concat(pieces).equals(readFileSync(path))).toBe(true);
  });
});
