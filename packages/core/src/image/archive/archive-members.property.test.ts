import { buffer } from "node:stream/consumers";
import { packTree, type Tree, type TreeEntry } from "@plimsoll/testing";
import fc from "fast-check";
import { extract } from "tar-stream";
import { describe, expect, it } from "vitest";
import type { Bytes } from "../../bytes/bytes.ts";
import { streamInput } from "./archive-input.ts";
import { readMembers } from "./archive-members.ts";

const limits = { maxEntries: 1000, maxMetaBytes: 100_000, maxPathBytes: 4096 };

const segment = fc.stringMatching(/^[a-zA-Zäé0-9_-]{1,60}$/);
const name = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join("/"));
const entry: fc.Arbitrary<TreeEntry> = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  name.map((symbolicLink) => ({ symbolicLink })),
  name.map((hardLink) => ({ hardLink })),
  fc.constant({ folder: true } as const),
);
const tree: fc.Arbitrary<Tree> = fc.dictionary(name, entry, { maxKeys: 8 });

async function* cut(bytes: Uint8Array, length: number): Bytes {
  for (let at = 0; at < bytes.length; at += length) yield Uint8Array.from(bytes.subarray(at, at + length));
}

/** Every member: name, link, content; of those at odd places only where it is. */
async function readOurs(
  bytes: Uint8Array,
  { chunkLength, skips }: { readonly chunkLength: number; readonly skips: boolean },
): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const member of readMembers(streamInput(cut(bytes, chunkLength)), limits)) {
    const content = skips ? "skipped" : (await buffer(member.stream())).toString("hex");
    found.push({ name: member.name, linkName: member.linkName, sizeBytes: member.sizeBytes, content });
  }
  return found;
}

async function readTheirs(bytes: Uint8Array, { skips }: { readonly skips: boolean }): Promise<unknown[]> {
  const found: unknown[] = [];
  const archive = extract();
  archive.end(Buffer.from(bytes));
  for await (const member of archive) {
    const content = (await buffer(member)).toString("hex");
    const { name: path, linkname, size = 0, type } = member.header;
    if (type === "directory") continue;
    found.push({ name: path, linkName: linkname ?? "", sizeBytes: size, content: skips ? "skipped" : content });
  }
  return found;
}

describe("readMembers", () => {
  it("finds what tar-stream finds, however the bytes come and whatever is passed over", async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.integer({ min: 1, max: 1500 }), fc.boolean(), async (members, chunkLength, skips) => {
        const bytes = await packTree(members);
        expect(await readOurs(bytes, { chunkLength, skips })).toEqual(await readTheirs(bytes, { skips }));
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("ends damaged archives in an error of its own, never in a hang", async () => {
    const bytes = await packTree({ a: "1".repeat(600), "b/c": { symbolicLink: "../a" }, ["long/".repeat(30)]: "x" });
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), async (at, value) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = value;
        const outcome = await readOurs(damaged, { chunkLength: 512, skips: false }).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ name: "ScanError", code: "malformed_archive" });
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});
