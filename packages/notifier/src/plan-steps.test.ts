import { describe, expect, it } from "vitest";
import { type FirstSight, planSteps } from "./plan-steps.ts";

const second = 1_000;
const operation = (number: number) => ({
  ref: `op${number}`,
  updater: "feed",
  date: new Date(number * second).toISOString(),
});

/** `op2`: baseline, `op1>op2`: comparison. */
function plan(listed: readonly number[], processed: readonly number[], firstSight: FirstSight = "baseline"): string[] {
  const known = processed.map((number) => ({ ref: `op${number}`, recordedAt: number * second }));
  return planSteps(listed.map(operation), known, firstSight).map((step) =>
    step.kind === "baseline" ? step.operation.ref : `${step.previous.replace(/^[0-]+$/, "")}>${step.operation.ref}`,
  );
}

describe("planSteps", () => {
  it.each([
    { story: "nothing was ever recorded", listed: [], processed: [], steps: [] },
    { story: "the updater is new", listed: [2, 1], processed: [], steps: ["op1", "op2"] },
    { story: "nothing is new", listed: [2, 1], processed: [1, 2], steps: [] },
    { story: "one is new", listed: [3, 2, 1], processed: [1, 2], steps: ["op2>op3"] },
    { story: "several are new", listed: [5, 4, 3, 2], processed: [2], steps: ["op2>op3", "op3>op4", "op4>op5"] },
    { story: "the newest was deleted", listed: [2, 1], processed: [1, 2, 3], steps: [] },
    { story: "the newest was deleted and another came", listed: [4, 2], processed: [1, 2, 3], steps: ["op2>op4"] },
    { story: "all known ones were forgotten", listed: [5, 4], processed: [1, 2], steps: ["op4", "op4>op5"] },
    { story: "only the older ones are left of another matcher's list", listed: [2, 1], processed: [3], steps: [] },
    { story: "the list is empty for once", listed: [], processed: [1, 2], steps: [] },
  ])("goes on when $story", ({ listed, processed, steps }) => {
    expect(plan(listed, processed)).toEqual(steps);
  });

  it.each([
    { listed: [2, 1], processed: [], steps: [">op1", "op1>op2"] },
    { listed: [3, 2, 1], processed: [2], steps: ["op2>op3"] },
  ])("tells everything of a new updater when asked to: $steps", ({ listed, processed, steps }) => {
    expect(plan(listed, processed, "notify")).toEqual(steps);
  });

  it.each([
    { story: "before the last", listed: [3, 2, 1], at: [1, 2, 1], processed: [2, 1], steps: ["op2>op3"] },
    { story: "after the last", listed: [2, 1], at: [1, 9], processed: [2], steps: [] },
  ])("knows operations by their references where a clock has set one $story", ({ listed, at, processed, steps }) => {
    const operations = listed.map((number, index) => ({
      ...operation(number),
      date: new Date((at[index] ?? 0) * second).toISOString(),
    }));
    const known = processed.map((number) => ({ ref: `op${number}`, recordedAt: number * second }));

    const planned = planSteps(operations, known, "baseline");

    expect(planned.map((step) => (step.kind === "compare" ? `${step.previous}>${step.operation.ref}` : ""))).toEqual(
      steps,
    );
  });

  it("rejects an invalid date", () => {
    const odd = { ref: "op9", updater: "feed", date: "yesterday" };

    expect(() => planSteps([odd], [{ ref: "op1", recordedAt: 1 }], "baseline")).toThrow(/op9.*ISO 8601.*yesterday/);
  });
});
