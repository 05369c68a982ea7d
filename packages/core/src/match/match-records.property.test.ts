import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
import type { Advisory } from "../model/advisory.ts";
import { sampleAdvisory, sampleRecord } from "./fixtures/samples.ts";
import { matchRecords } from "./match-records.ts";
import { namesOf } from "./vulnerability-names.ts";

const records = ["1.0-1", "2.0-1", "no version"].map((version, i) => {
  const record = sampleRecord("debian 12", "curl");
  return { ...record, package: { ...record.package, id: String(i), version } };
});

const names = ["CVE-2024-0001", "CVE-2024-0002", "GHSA-1", "DSA-1"];
const advisories = fc.uniqueArray(
  fc.record({
    updater: fc.constantFrom("debian", "osv"),
    name: fc.constantFrom(...names),
    aliases: fc.subarray(names),
    status: fc.constantFrom<Advisory["status"]>("affected", "affected", "not-affected", "undetermined"),
    ranges: fc.constantFrom([{}], [{ fixed: "1.5" }], [{ fixed: "3:1" }], [{ fixed: "?" }], []),
  }),
  { selector: ({ updater, name }) => `${updater}/${name}` },
);
const asAdvisories = (given: readonly Partial<Advisory>[]) =>
  given.map((more) => sampleAdvisory("debian:12", "curl", more));

function match(given: readonly Partial<Advisory>[]) {
  return matchRecords([debianMatcher], { records, advisories: asAdvisories(given) }, { trace: true });
}

describe("matchRecords", () => {
  it("gives every pair exactly one verdict", () => {
    fc.assert(
      fc.property(advisories, (given) => {
        const { affected, undecided, notAffected, repeated } = match(given);
        const pairs = [...affected, ...undecided, ...notAffected, ...repeated].map(
          ({ record, advisory }) => `${record.package.id} ${advisory.id}`,
        );

        expect(pairs).toHaveLength(records.length * given.length);
        expect(new Set(pairs).size).toBe(pairs.length);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("finds the same whatever the order of the advisories", () => {
    const shuffled = advisories.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    );
    const idsOf = (given: readonly Partial<Advisory>[]) => {
      const { affected, undecided } = match(given);
      return [affected, undecided].map((kind) =>
        kind.map(({ record, advisory }) => `${record.package.id} ${advisory.id}`).sort(),
      );
    };
    fc.assert(
      fc.property(shuffled, ([given, reordered]) => {
        expect(idsOf(reordered)).toEqual(idsOf(given));
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("finds no vulnerability twice in one package", () => {
    fc.assert(
      fc.property(advisories, (given) => {
        const seen = match(given).affected.map(
          ({ record, advisory }) => `${record.package.id} ${namesOf(advisory).ids.join()}`,
        );

        expect(new Set(seen).size).toBe(seen.length);
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});
