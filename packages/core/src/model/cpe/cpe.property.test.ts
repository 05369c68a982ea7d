import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { formatCpe } from "./format.ts";
import { type CpeRelation, compareCpe } from "./match.ts";
import { parseWfn } from "./parse.ts";
import type { Wfn } from "./wfn.ts";

const options = { seed: 7696, numRuns: 200 };
const characters = fc.array(fc.constantFrom("a", "b", "1", ".", "_", "-", "\\+", "\\~", "\\:", "\\\\", "\\*", "\\%"), {
  minLength: 1,
  maxLength: 4,
});
const plain = characters.map((found) => found.join("")).map((text) => (text === "-" ? "\\-" : text));
const value = fc.oneof(fc.constant("*"), fc.constant("-"), plain);
const pattern = fc
  .tuple(fc.constantFrom("", "?", "??", "*"), plain, fc.constantFrom("", "?", "*"))
  .map(([before, text, after]) => (text === "\\-" ? text : `${before}${text}${after}`));

function wfnOf(text: fc.Arbitrary<string>): fc.Arbitrary<Wfn> {
  const part = fc.constantFrom("a", "o", "h", "*");
  return fc.record({
    part,
    vendor: text,
    product: text,
    version: text,
    update: text,
    edition: text,
    language: text,
    swEdition: text,
    targetSw: text,
    targetHw: text,
    other: text,
  });
}

describe("parseWfn", () => {
  it("reads what formatCpe writes", () => {
    fc.assert(
      fc.property(wfnOf(fc.oneof(value, pattern)), (wfn) => {
        expect(parseWfn(formatCpe(wfn))).toEqual(wfn);
      }),
      options,
    );
  });

  it("throws nothing but malformed_cpe", () => {
    const noise = fc.string({ unit: fc.constantFrom("a", ":", "\\", "*", "?", "~", "%", "%2", "-", "é", "\n") });

    fc.assert(
      fc.property(fc.constantFrom("cpe:2.3:", "cpe:/"), noise, (prefix, tail) => {
        try {
          parseWfn(prefix + tail);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
          expect(error).toHaveProperty("code", "malformed_cpe");
        }
      }),
      { ...options, numRuns: 1000 },
    );
  });
});

describe("compareCpe", () => {
  const few = wfnOf(fc.constantFrom("*", "*", "*", "-", "a"));

  it("gives the mirror image when its sides are swapped", () => {
    const mirrored: Record<CpeRelation, CpeRelation> = {
      superset: "subset",
      subset: "superset",
      equal: "equal",
      disjoint: "disjoint",
      undefined: "undefined",
    };

    fc.assert(
      fc.property(few, few, (a, b) => {
        expect(compareCpe(b, a)).toBe(mirrored[compareCpe(a, b)]);
      }),
      options,
    );
  });

  it("finds every name equal to itself", () => {
    fc.assert(
      fc.property(wfnOf(value), (wfn) => {
        expect(compareCpe(wfn, wfn)).toBe("equal");
      }),
      options,
    );
  });
});
