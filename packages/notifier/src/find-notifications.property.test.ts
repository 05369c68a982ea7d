import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AffectedChange, findAll } from "./fixtures/changes.ts";
import { vulnerabilityOf } from "./fixtures/fake-sources.ts";
import { summarize } from "./values/notification.ts";

const manifest = fc.constantFrom("sha256:1", "sha256:2", "sha256:3");
const changes: fc.Arbitrary<readonly AffectedChange[]> = fc.array(
  fc.record({
    vulnerability: fc
      .tuple(fc.constantFrom("A", "B", "C"), fc.constantFrom("Low", "High"))
      .map(([name, severity]) => summarize(vulnerabilityOf(name, "expat", { normalized_severity: severity }))),
    manifests: fc.uniqueArray(manifest),
  }),
  { maxLength: 6 },
);

/** Every manifest with every summary, as text. */
function pairs(list: readonly AffectedChange[]): Set<string> {
  return new Set(
    list.flatMap(({ vulnerability, manifests }) => manifests.map((one) => `${one} ${text(vulnerability)}`)),
  );
}

function text(value: unknown): string {
  return JSON.stringify(value);
}

describe("notificationFinder", () => {
  it("finds in full mode exactly what is in only one list, once", () => {
    fc.assert(
      fc.property(changes, changes, (added, removed) => {
        const [after, before] = [pairs(added), pairs(removed)];
        const expected = [
          ...[...after].filter((pair) => !before.has(pair)).map((pair) => `added ${pair}`),
          ...[...before].filter((pair) => !after.has(pair)).map((pair) => `removed ${pair}`),
        ];

        const found = findAll({ added, removed }, "full");

        const told = found.map((one) => `${one.reason} ${one.manifest} ${text(one.vulnerability)}`);
        expect(told.sort()).toEqual(expected.sort());
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("finds in summary mode the first notification of full mode for each manifest and reason", () => {
    fc.assert(
      fc.property(changes, changes, (added, removed) => {
        const first = new Map<string, unknown>();
        for (const one of findAll({ added, removed }, "full")) {
          const key = `${one.manifest} ${one.reason}`;
          if (!first.has(key)) first.set(key, one);
        }

        expect(findAll({ added, removed }, "summary")).toEqual([...first.values()]);
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("does not depend on the order of the changes", () => {
    fc.assert(
      fc.property(changes, changes, (added, removed) => {
        const turned = { added: added.toReversed(), removed: removed.toReversed() };

        expect(findAll(turned, "summary")).toEqual(findAll({ added, removed }, "summary"));
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
