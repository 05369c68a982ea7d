import { describe, expect, it } from "vitest";
import { sortedInSlices } from "./evidence-view.ts";

describe("sortedInSlices", () => {
  it.each([0, 1, 1000, 1001, 3500])(
    "gives what toSorted gives for %i items, equal ones in their order",
    async (length) => {
      const items = Array.from({ length }, (_, at) => ({ at, key: (at * 7919) % 101 }));
      const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;

      expect(await sortedInSlices(items, byKey)).toEqual(items.toSorted(byKey));
    },
  );
});
