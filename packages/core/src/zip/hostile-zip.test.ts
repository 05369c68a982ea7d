import { fuzzRuns, makeZip, zipSource } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listZip, type ZipSource } from "./list-zip.ts";
import { openZip } from "./read-zip.ts";

const endBytes = 22;

/** An archive with the entries of its directory over and over: all of them mean the same bytes. */
function repeatDirectory(archive: Uint8Array, times: number): Uint8Array {
  const whole = Buffer.from(archive);
  const [size, offset] = [12, 16].map((at) => whole.readUInt32LE(whole.length - endBytes + at)) as [number, number];
  const directory = whole.subarray(offset, offset + size);
  const end = Buffer.from(whole.subarray(whole.length - endBytes));
  end.writeUInt32LE(size * times, 12);
  return Uint8Array.from(Buffer.concat([whole.subarray(0, offset), ...Array(times).fill(directory), end]));
}

/** An archive whose directory says of every entry that its content is so long. */
function claimSize(archive: Uint8Array, sizeBytes: number): Uint8Array {
  const whole = Buffer.from(archive);
  for (let at = whole.indexOf("PK\x01\x02"); at >= 0; at = whole.indexOf("PK\x01\x02", at + 1)) {
    whole.writeUInt32LE(sizeBytes, at + 24);
  }
  return Uint8Array.from(whole);
}

/** A source that counts the bytes it was asked for. */
function countedSource(bytes: Uint8Array): ZipSource & { readBytes(): number } {
  const source = zipSource(bytes);
  let read = 0;
  return {
    ...source,
    readBytes: () => read,
    readAt(offset, length) {
      read += Math.max(0, Math.min(length, bytes.length - offset));
      return source.readAt(offset, length);
    },
  };
}

function filesOf(count: number, sizeBytes: number): Record<string, Uint8Array> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${at}.json`, new Uint8Array(sizeBytes).fill(at)]),
  );
}

async function readAll(source: ZipSource): Promise<void> {
  const read = openZip(source);
  for (const entry of await listZip(source)) await read(entry);
}

describe("an archive that is made to be slow", () => {
  it.each([
    ["entries that share their bytes", repeatDirectory(makeZip({ "a.json": "1" }), 2), "which overlaps another"],
    ["a thousand of them", repeatDirectory(makeZip({ "a.json": "a".repeat(5000) }), 1_000), "which overlaps another"],
    ["more content than it can hold", claimSize(makeZip(filesOf(9, 10)), 60_000_000), "540000000 bytes of content"],
    ["more directory than is read", claimDirectory(200 * 1024 ** 2), "a directory beyond its end"],
  ])("with %s is refused before an entry is read", async (_, bytes, message) => {
    await expect(listZip(zipSource(bytes))).rejects.toMatchObject({
      code: "malformed_archive",
      message: expect.stringContaining(message),
    });
  });

  it("is read once, whatever the sizes and the number of its entries", async () => {
    const size = fc.constantFrom(0, 100, 70_000, 700_000, 1_200_000);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), size, async (count, sizeBytes) => {
        const bytes = makeZip(filesOf(count, sizeBytes), { method: "stored" });
        const source = countedSource(bytes);

        await readAll(source);

        // the directory with the end, and each byte of the entries in a window of a megabyte and by itself
        expect(source.readBytes()).toBeLessThanOrEqual(3 * bytes.length + 200_000);
      }),
      fuzzRuns(30),
    );
  });
});

function claimDirectory(sizeBytes: number): Uint8Array {
  const whole = Buffer.from(makeZip({ "a.json": "1" }));
  whole.writeUInt32LE(sizeBytes, whole.length - endBytes + 12);
  return Uint8Array.from(whole);
}
