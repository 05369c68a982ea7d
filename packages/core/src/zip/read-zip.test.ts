import { makeZip, type ZipForm, zipSource } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { listZip } from "./list-zip.ts";
import type { ZipEntry } from "./read-directory.ts";
import { openZip } from "./read-zip.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function readAll(bytes: Uint8Array): Promise<Record<string, string>> {
  const source = zipSource(bytes);
  const read = openZip(source);
  const contents: Record<string, string> = {};
  for (const entry of await listZip(source)) contents[entry.name] = text(await read(entry));
  return contents;
}

/** The first entry of an archive, changed, and a reader. */
async function open(bytes: Uint8Array, change: Partial<ZipEntry> = {}) {
  const source = zipSource(bytes);
  const [entry] = await listZip(source);
  if (entry === undefined) throw new Error("no entry");
  return openZip(source)({ ...entry, ...change });
}

const files = { "a.json": '{"a":1}', "empty.json": "", "d/b.json": "b".repeat(100_000) };

describe("listZip", () => {
  it("lists entries with sizes and offsets", async () => {
    const [a, , b] = await listZip(zipSource(makeZip(files, { method: "stored" })));

    expect(a).toMatchObject({
      name: "a.json",
      method: 0,
      sizeBytes: 7,
      compressedBytes: 7,
      offset: 0,
      encrypted: false,
    });
    expect(b).toMatchObject({ name: "d/b.json", sizeBytes: 100_000 });
  });

  it("is not misled by an end record inside the comment", async () => {
    const comment = `x${String.fromCharCode(0x50, 0x4b, 5, 6)}${"\0".repeat(17)}`;

    expect(await listZip(zipSource(makeZip(files, { comment })))).toHaveLength(3);
  });

  it("refuses an archive that is cut off anywhere", async () => {
    const whole = makeZip({ "a.json": "1", "b.json": "2" });

    for (let length = 0; length < whole.length; length++) {
      const cut = listZip(zipSource(whole.subarray(0, length)));
      await expect(cut).rejects.toMatchObject({
        code: "malformed_archive",
        message: expect.stringContaining("all.zip"),
      });
    }
  });

  it.each([
    ["a directory beyond the end", 16, 0xffff],
    ["a directory that begins elsewhere", 16, 1],
    ["a directory that is too long", 12, 0xffff],
  ])("refuses %s", async (_, at, value) => {
    const bytes = Buffer.from(makeZip(files));
    bytes.writeUInt32LE(value, bytes.length - 22 + at);

    await expect(listZip(zipSource(bytes))).rejects.toMatchObject({ code: "malformed_archive" });
  });

  it("refuses a zip64 locator that leads nowhere", async () => {
    const bytes = Buffer.from(makeZip(files, { zip64: true }));
    bytes.writeBigUInt64LE(2n ** 60n, bytes.length - 22 - 20 + 8);
    bytes.writeUInt32LE(0, bytes.length - 22 - 20 - 56);

    await expect(listZip(zipSource(bytes))).rejects.toThrow("no zip64 end record");
  });
});

describe("openZip", () => {
  it.each<[string, ZipForm]>([
    ["deflated", {}],
    ["stored", { method: "stored" }],
    ["with 64-bit numbers", { zip64: true }],
    ["with a comment", { comment: "made for a test" }],
  ])("reads entries %s", async (_, form) => {
    expect(await readAll(makeZip(files, form))).toEqual(files);
  });

  it("names the damaged compression, not a format that the archive does not have", async () => {
    const bytes = Buffer.from(makeZip({ "b.json": files["d/b.json"] }));
    bytes.fill(0xff, 30 + "b.json".length, 30 + "b.json".length + 1); // a type of block that does not exist

    await expect(open(bytes)).rejects.toThrow("all.zip: b.json: DEFLATE: found a block of a type that does not exist");
  });

  it.each<[string, Partial<ZipEntry>, string]>([
    ["a wrong CRC", { crc32: 1 }, "CRC"],
    ["a password", { encrypted: true }, "encrypted"],
    ["another compression", { method: 12 }, "found 12"],
    ["an offset inside", { offset: 1 }, "offset 1"],
    ["an offset beyond the end", { offset: 1_000_000 }, "offset 1000000"],
    ["more bytes than said", { sizeBytes: 10 }, "found more"],
    ["fewer bytes than said", { sizeBytes: 110_000 }, "expected 110000 bytes"],
    ["a size that its bytes cannot have", { sizeBytes: 1_000_000 }, "expected 1000000 bytes, found room for"],
    ["content that ends early", { compressedBytes: 100 }, "end too early"],
    ["content beyond the end", { compressedBytes: 1_000_000 }, "expected 1000000 bytes at offset"],
    ["an enormous size", { sizeBytes: 2 ** 40 }, "at most"],
  ])("refuses an entry with %s", async (_, change, message) => {
    const opened = open(makeZip({ "b.json": files["d/b.json"] }), change);

    await expect(opened).rejects.toMatchObject({
      code: "malformed_archive",
      message: expect.stringContaining(message),
    });
    await expect(opened).rejects.toThrow("all.zip: b.json");
  });
});
