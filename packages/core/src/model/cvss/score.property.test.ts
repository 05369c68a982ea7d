import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { cvssMetrics, cvssVersions } from "./metrics.ts";
import { cvssScores } from "./score.ts";
import { parseCvss } from "./vector.ts";

const options = { seed: 40, numRuns: 400 };

const vector = fc.constantFrom(...cvssVersions).chain((version) => {
  const parts = [...cvssMetrics[version]].map(([name, { weights, group }]) => {
    const part = fc.constantFrom(...weights.keys()).map((value) => `${name}:${value}`);
    return group === "base" ? part : fc.option(part, { nil: undefined });
  });
  const prefix = version === "2.0" ? [] : [`CVSS:${version}`];
  return fc.tuple(...parts).map((found) => [...prefix, ...found.filter((part) => part !== undefined)].join("/"));
});

describe("cvssScores", () => {
  it("are numbers from 0 to 10 with one decimal", () => {
    fc.assert(
      fc.property(vector, (text) => {
        for (const score of Object.values(withoutUndefined(cvssScores(parseCvss(text))))) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(10);
          expect(score).toBe(Number(score.toFixed(1)));
        }
      }),
      options,
    );
  });

  it("do not rise when an impact of the base falls", () => {
    const severe = fc.constantFrom("VC:H", "VI:H", "VA:H", "SC:H", "SI:H", "SA:H");
    const base = vector.filter((text) => text.startsWith("CVSS:4.0"));

    fc.assert(
      fc.property(base, severe, (text, metric) => {
        const before = cvssScores(parseCvss(text)).base;
        const after = cvssScores(parseCvss(text.replace(`/${metric}`, `/${metric.slice(0, 3)}L`))).base;

        expect(after).toBeLessThanOrEqual(before);
      }),
      options,
    );
  });
});

describe("parseCvss", () => {
  it("throws nothing but malformed_cvss", () => {
    const noise = fc.array(fc.constantFrom("CVSS:3.1", "CVSS:4.0", "AV:N", "AC:L", "E:", ":", "", "\u0000", "S:U"));

    fc.assert(
      fc.property(noise, (parts) => {
        try {
          parseCvss(parts.join("/"));
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
          expect(error).toHaveProperty("code", "malformed_cvss");
        }
      }),
      options,
    );
  });
});
