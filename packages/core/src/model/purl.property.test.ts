import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { anyCharacter } from "../fixtures/any-character.ts";
import { formatPurl, parsePurl } from "./purl.ts";

const options = { seed: 20240817, numRuns: 200 };
const text = fc.string({ unit: "grapheme", minLength: 1 });
const parts = fc.record({
  type: fc.constantFrom("deb", "rpm", "apk", "npm", "pypi", "golang", "maven", "oci", "generic"),
  namespace: text,
  name: text.filter((name) => name.replace(/[-_.]/g, "") !== ""),
  version: text,
  qualifiers: fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9._-]{0,9}$/), text),
  subpath: text,
});

describe("formatPurl", () => {
  it("writes what parsePurl reads back", () => {
    fc.assert(
      fc.property(parts, (purl) => {
        const canonical = formatPurl(purl);
        const parsed = parsePurl(canonical);

        expect(canonical).toMatch(/^[\x21-\x7e]+$/);
        expect(formatPurl(parsed)).toBe(canonical);
        expect([parsed.version, parsed.qualifiers]).toEqual([purl.version, purl.qualifiers]);
      }),
      options,
    );
  });
});

describe("parsePurl", () => {
  it("throws nothing but malformed_purl", () => {
    const noise = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom("a", "/", "@", "?", "#", "%", "%4", "=", "&", ":", ".", "Z") }),
    );

    fc.assert(
      fc.property(noise, (tail) => {
        try {
          parsePurl(formatPurl(parsePurl(`pkg:${tail}`)));
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
          expect(error).toHaveProperty("code", "malformed_purl");
        }
      }),
      { ...options, numRuns: 2000 },
    );
  });
});
