import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { anyCharacter } from "../../fixtures/any-character.ts";
import { bytesOf } from "../linux/fixtures/layer-files.ts";
import { parseFileList, parseMd5sums } from "./file-list.ts";
import { parseDpkgStatus } from "./status.ts";

const runs = { seed: 822, numRuns: 200 };
const line = fc.oneof(
  fc.constantFrom("", " ", "Package: a", "Version: 1", "Status: install ok installed", "Source: b (2)", " more", "\r"),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);
const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n"));
const bytes = fc.oneof(fc.uint8Array({ maxLength: 400 }), text.map(bytesOf));
const word = fc.stringMatching(/^[a-z0-9][a-z0-9+.:~-]{0,20}$/);

describe("parseDpkgStatus", () => {
  it("throws only ScanError, and no name or version has a control character", () => {
    fc.assert(
      fc.property(bytes, (input) => {
        const { packages } = unlessScanError(() => parseDpkgStatus(input, "status.d")) ?? { packages: [] };
        for (const { name, version } of packages) expect(/[\u0000-\u001f]/.test(name + version)).toBe(false);
      }),
      runs,
    );
  });

  it("finds every valid stanza, with garbage between them", () => {
    const stanza = fc.record({ name: word, version: word, arch: word, source: word, sourceVersion: word });
    const garbage = fc.stringMatching(/^[a-z ]{1,20}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(stanza, garbage)), fc.constantFrom("\n", "\r\n"), (stanzas, lineEnd) => {
        const written = stanzas.map(([{ name, version, arch, source, sourceVersion }, between]) => [
          ...[`Package: ${name}`, `Source: ${source} (${sourceVersion})`, `Version: ${version}`],
          ...[`Architecture: ${arch}`, "Description: x", " y", "", between, ""],
        ]);

        const { packages } = parseDpkgStatus(bytesOf(written.flat().join(lineEnd)), "status.d");

        expect(packages).toEqual(stanzas.map(([found]) => ({ ...found, synopsis: "x", installed: true })));
      }),
      runs,
    );
  });
});

describe("parseFileList and parseMd5sums", () => {
  it("throw only ScanError and return no empty path", () => {
    fc.assert(
      fc.property(bytes, (input) => {
        const paths = unlessScanError(() => [...parseFileList(input), ...parseMd5sums(input)]) ?? [];
        expect(paths.every((path) => path !== "")).toBe(true);
      }),
      runs,
    );
  });
});

function unlessScanError<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    expect(error).toBeInstanceOf(ScanError);
    return undefined;
  }
}
