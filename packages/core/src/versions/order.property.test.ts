import { cpuMsOf, fullTestRuns } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { schemes } from "./fixtures/schemes.ts";

const pieces = [
  "0",
  "1",
  "2",
  "02",
  "10",
  "a",
  "b",
  "m",
  "x",
  "rc",
  "alpha",
  "beta",
  "pre",
  "p",
  "dev",
  "post",
  "final",
];
const marks = [".", "-", "_", "~", "^", "+", ":", "!", "v", ".0", "-r1", "_p1", "_rc", "1.0.0", "1.0", "go1.2"];
const versionText = fc
  .array(fc.constantFrom(...pieces, ...marks), { minLength: 1, maxLength: 7 })
  .map((parts) => parts.join(""));
const runs = { seed: 20240601, numRuns: 200 };

describe.each(schemes)("the order of $versions.name", ({ versions, compare, valid }) => {
  const version = fc
    .oneof(
      versionText,
      versionText.map((text) => `1.0.0${text}`),
    )
    .filter(valid);

  it("calls a version equal to itself", () => {
    fc.assert(
      fc.property(version, (a) => compare(a, a) === 0),
      runs,
    );
  });

  it("gives the opposite answer the other way round", () => {
    fc.assert(
      fc.property(version, version, (a, b) => compare(a, b) + compare(b, a) === 0),
      runs,
    );
  });

  it("is transitive", () => {
    fc.assert(
      fc.property(version, version, version, (...versions) => {
        const [a, b, c] = versions.toSorted(compare) as [string, string, string];
        expect([compare(a, b), compare(b, c), compare(a, c)]).not.toContain(1);
        if (compare(a, c) === 0) expect([compare(a, b), compare(b, c)]).toEqual([0, 0]);
      }),
      { ...runs, numRuns: fullTestRuns(1000) },
    );
  });

  it("parses any text or says that it is malformed", () => {
    const anyCharacter = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const anyText = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 40 }), fc.string(), versionText);
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          versions.parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
          expect(error).toMatchObject({ code: "malformed_version" });
        }
      }),
      runs,
    );
  });

  it.each([".", "1", "1.", "1-", "1a", "a-", "+", "1.0-a.", " ", "-r1", "_p", "~", "1+", "x", "é", "1.1+ "])(
    "takes less than 2 s of CPU time for a very long text of %j",
    (piece) => {
      const cpuMs = cpuMsOf(() => {
        valid(piece.repeat(50_000));
        valid(`1.0.0-${piece.repeat(50_000)}!`);
      });

      expect(cpuMs).toBeLessThan(2000);
    },
  );
});
