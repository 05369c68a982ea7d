import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { inChunks } from "../bytes/fixtures/in-chunks.ts";
import { bunzip2 } from "./bunzip2.ts";

const corpus = findCorpus();

describe.skipIf(corpus === undefined)("bunzip2", () => {
  it.each(["-1", "-9"])("gives back what bzip2 %s has compressed", async (level) => {
    const path = `${corpus}/data/feeds/azurelinux-oval/azl3/azurelinux-3.0-oval.xml`;
    const compressed = execFileSync("bzip2", ["-k", "-c", level, path], { maxBuffer: 2 ** 28 });

    const pieces: Uint8Array[] = [];
    for await (const piece of bunzip2(inChunks(compressed, [1, 65_536, 4099]))) pieces.push(piece.slice());

    expect(Buffer.concat(pieces).equals(readFileSync(path))).toBe(true);
  });
});
