import { damagedForms, fuzzRuns, makeZip } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { createZipReader } from "./zip-reader.ts";

const sound = { "a.txt": "one", "empty.txt": "", "d/b.txt": "b".repeat(5000) };

describe("createZipReader", () => {
  it.each([
    ["deflated", makeZip(sound)],
    ["stored, behind a program", makeZip(sound, { method: "stored", program: "#!/bin/sh\n", offsetsFrom: "archive" })],
    ["with 64-bit numbers", makeZip(sound, { zip64: true })],
  ])("ends for damaged archives, and throws nothing but what it says: %s", (_, archive) => {
    const zip = createZipReader();
    fc.assert(
      fc.property(damagedForms(archive), (bytes) => {
        try {
          const file = { location: "app.jar", bytes };
          for (const entry of zip.list(file)) zip.read(file, entry, 1024 ** 2);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
          expect(error).toMatchObject({ code: "malformed_archive" });
        }
      }),
      fuzzRuns(300),
    );
  });
});
