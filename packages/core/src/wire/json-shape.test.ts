import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemOfJson, usualJsonLimits } from "./json-shape.ts";

/** The values of a document, and how deep it is. */
function shapeOf(value: unknown): readonly [values: number, depth: number] {
  if (typeof value !== "object" || value === null) return [1, 0];
  const inner = Object.values(value).map(shapeOf);
  return [1 + inner.reduce((sum, [values]) => sum + values, 0), 1 + Math.max(0, ...inner.map(([, depth]) => depth))];
}

describe("problemOfJson", () => {
  it("counts the values and the levels of any document", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const [values, depth] = shapeOf(JSON.parse(text));
        // An empty list or object counts as if it had one value.
        expect(problemOfJson(text, { mostValues: 2 * values, mostDepth: depth })).toBeUndefined();
        if (values > 1) expect(problemOfJson(text, { mostValues: values - 1, mostDepth: depth })).toContain("values");
        if (depth > 0) expect(problemOfJson(text, { mostValues: 2 * values, mostDepth: depth - 1 })).toContain("deep");
      }),
    );
  });

  it.each([
    { what: "commas and brackets within texts", text: JSON.stringify("[{,".repeat(200_000)), problem: undefined },
    { what: "escaped quotes", text: JSON.stringify('",["'.repeat(200_000)), problem: undefined },
    { what: "a text without an end", text: '["a', problem: undefined },
    { what: "a backslash at the end", text: '["\\', problem: undefined },
    {
      what: "nested lists",
      text: "[".repeat(101),
      problem: "is nested more than 100 deep",
    },
    {
      what: "nested objects",
      text: '{"a":'.repeat(101),
      problem: "is nested more than 100 deep",
    },
    { what: "many values", text: `[${"0,".repeat(100_000)}0]`, problem: "has more than 100000 values" },
    {
      what: "many members",
      text: `{${'"a":1,'.repeat(100_000)}`,
      problem: "has more than 100000 values",
    },
  ])("of $what is $problem", ({ text, problem }) => {
    expect(problemOfJson(text, usualJsonLimits)).toBe(problem);
  });
});
