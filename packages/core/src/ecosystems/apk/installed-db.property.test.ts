import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { anyCharacter } from "../../fixtures/any-character.ts";
import { bytesOf } from "../linux/fixtures/layer-files.ts";
import { parseApkInstalled } from "./installed-db.ts";

const runs = { seed: 214, numRuns: 200 };
const line = fc.oneof(
  fc.constantFrom("", "P:a", "V:1-r0", "o:b", "F:usr", "R:x", "D:a b", "\r", ":"),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);
const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n"));
const word = fc.stringMatching(/^[a-z0-9][a-z0-9+._-]{0,20}$/);

describe("parseApkInstalled", () => {
  it("throws only ScanError, and no name or version has a control character", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), text.map(bytesOf)), (input) => {
        for (const { name, version } of packagesOf(input)) expect(/[\u0000-\u001f]/.test(name + version)).toBe(false);
      }),
      runs,
    );
  });

  it("finds every valid stanza, with garbage between them", () => {
    const stanza = fc.record({ name: word, version: word, arch: word, origin: word, files: fc.array(word) });
    const garbage = fc.stringMatching(/^[a-z]{2}[a-z ]{0,20}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(stanza, garbage)), (stanzas) => {
        const written = stanzas.map(([{ name, version, arch, origin, files }, between]) => [
          ...[`V:${version}`, `P:${name}`, `A:${arch}`, `o:${origin}`, "F:opt"],
          ...[...files.map((file) => `R:${file}`), "", between, ""],
        ]);

        const packages = packagesOf(bytesOf(written.flat().join("\n")));

        const expected = stanzas.map(([found]) => ({ ...found, files: found.files.map((file) => `opt/${file}`) }));
        expect(packages).toEqual(expected.map((found) => ({ ...found, depends: [], provides: [] })));
      }),
      runs,
    );
  });
});

function packagesOf(bytes: Uint8Array) {
  try {
    return parseApkInstalled(bytes).packages;
  } catch (error) {
    expect(error).toBeInstanceOf(ScanError);
    return [];
  }
}
