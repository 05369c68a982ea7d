import { makeZip, type ZipForm } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createZipReader, type ZipFile } from "./zip-reader.ts";

const files = { "a.txt": "one", "empty.txt": "", "d/b.txt": "b".repeat(100_000) };
const program = `#!/bin/sh\nexec java -jar "$0" "$@"\n${"#".repeat(1000)}\n`;
const maxBytes = 1024 ** 2;

const fileOf = (bytes: Uint8Array): ZipFile => ({ location: "app.jar", bytes });

function readAll(file: ZipFile): Record<string, string> {
  const zip = createZipReader();
  const contents = zip
    .list(file)
    .map((entry) => [entry.name, new TextDecoder().decode(zip.read(file, entry, maxBytes))]);
  return Object.fromEntries(contents);
}

describe("createZipReader", () => {
  it.each<[string, ZipForm]>([
    ["deflated", {}],
    ["stored", { method: "stored" }],
    ["with 64-bit numbers", { zip64: true }],
    ["behind a program, with offsets in the file", { program, offsetsFrom: "file" }],
    ["behind a program, with offsets in the archive", { program, offsetsFrom: "archive" }],
    ["behind a program, with 64-bit offsets in the archive", { program, offsetsFrom: "archive", zip64: true }],
  ])("reads an archive %s", (_, form) => {
    expect(readAll(fileOf(makeZip(files, form)))).toEqual(files);
  });

  it("reads an archive with bytes behind it", () => {
    const bytes = Buffer.concat([makeZip(files, { comment: "made for a test" }), Buffer.from("PK\x05\x06 signed")]);

    expect(readAll(fileOf(bytes))).toEqual(files);
  });

  it("reads an archive without files", () => {
    expect(readAll(fileOf(makeZip({}, { program, offsetsFrom: "archive" })))).toEqual({});
  });

  it("refuses offsets that count from nowhere", () => {
    const bytes = Buffer.from(makeZip(files));
    bytes.writeUInt32LE(1, bytes.length - 22 + 16);

    expect(() => readAll(fileOf(bytes))).toThrow("app.jar: expected a zip archive, found nothing at");
  });

  it("lists what is wanted, and stops where there is more than may be", () => {
    const zip = createZipReader();
    const file = fileOf(makeZip(files));

    expect(zip.list(file, { wants: (name) => name.startsWith("d/") }).map(({ name }) => name)).toEqual(["d/b.txt"]);
    expect(() => zip.list(file, { maxEntries: 2, wants: () => false })).toThrow("more than 2 entries");
  });

  it.each(["stored", "deflated"] as const)("gives parts of an entry that is %s", (method) => {
    const zip = createZipReader();
    const file = fileOf(makeZip({ "n.txt": "0123456789" }, { method }));
    const [entry] = zip.list(file);
    if (entry === undefined) throw new Error("no entry");

    const parts = zip.parts(file, entry, maxBytes);

    expect(parts.length).toBe(10);
    expect(new TextDecoder().decode(parts.subarray(8, 99))).toBe("89");
  });

  it("does not read an entry to give parts of it", () => {
    const zip = createZipReader();
    const bytes = makeZip({ "n.txt": "0".repeat(100_000) }, { method: "stored" });
    let read = 0;
    const counting = {
      length: bytes.length,
      subarray(start: number, end: number) {
        const part = bytes.subarray(start, end);
        read += part.length;
        return part;
      },
    };
    const file = { location: "app.jar", bytes: counting };
    const entry = zip.list(file)[0];
    if (entry === undefined) throw new Error("no entry");
    read = 0;

    zip.parts(file, entry, maxBytes).subarray(5, 6);

    expect(read).toBe(31);
  });

  it.each(["read", "parts"] as const)("refuses to %s an entry that is larger than allowed", (call) => {
    const zip = createZipReader();
    const file = fileOf(makeZip({ "n.txt": "0123456789" }, { method: "stored" }));
    const entry = zip.list(file)[0];
    if (entry === undefined) throw new Error("no entry");

    expect(() => zip[call](file, entry, 9)).toThrow("app.jar: n.txt: expected at most 9 bytes, found 10");
  });

  it.each(["stored", "deflated"] as const)(
    "gives an entry that is %s in pieces, as far as they are taken",
    (method) => {
      const zip = createZipReader();
      const text = Buffer.from(Array.from({ length: 100_000 }, (_, at) => String(at * at)).join(" "));
      const file = fileOf(makeZip({ "n.txt": text }, { method }));
      const [entry] = zip.list(file);
      if (entry === undefined) throw new Error("no entry");

      const [first] = zip.pieces(file, entry);

      expect(first?.length).toBeLessThan(20_000);
      expect(Buffer.concat(Array.from(zip.pieces(file, entry), (piece) => piece.slice())).equals(text)).toBe(true);
    },
  );

  it.each([
    ["another CRC", { crc32: 1 }, "does not have the CRC"],
    ["fewer bytes", { sizeBytes: 9 }, "expected 9 bytes, found more"],
    ["more bytes", { sizeBytes: 11 }, "expected 11 bytes, found 10"],
  ])("refuses the pieces of an entry that should have %s", (_, changed, message) => {
    const zip = createZipReader();
    const file = fileOf(makeZip({ "n.txt": "0123456789" }));
    const [entry] = zip.list(file);
    if (entry === undefined) throw new Error("no entry");

    expect(() => [...zip.pieces(file, { ...entry, ...changed })]).toThrow(message);
  });
});
