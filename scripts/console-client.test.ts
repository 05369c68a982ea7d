import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { consoleClient } from "./console-client.ts";
import { schemaType } from "./lib/schema-type.ts";

const folder = join(import.meta.dirname, "../packages/console/web/api/generated");

describe("consoleClient", () => {
  const files = consoleClient();

  it("has a file for each group of operations, and no other", () => {
    expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort());
  });

  it.each([...files])("is what %s has: otherwise run npm run docs", (name, text) => {
    expect(readFileSync(join(folder, name), "utf8")).toBe(text);
  });
});

describe("schemaType", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: "integer" }, "number"],
    [{ const: "a" }, '"a"'],
    [{ enum: ["a", "b"] }, '"a" | "b"'],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    [{ type: "array", items: { type: "string" } }, "readonly string[]"],
    [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } }, "readonly (string | null)[]"],
    [{ type: "object", patternProperties: { ".*": { type: "number" } } }, "{ readonly [name: string]: number }"],
    [
      { type: "object", properties: { a: { type: "string" }, "b-c": { type: "boolean" } }, required: ["a"] },
      '{ readonly a: string; readonly "b-c"?: boolean }',
    ],
    [{ type: "object", properties: {} }, "{ readonly [name: string]: never }"],
    [{}, "unknown"],
  ])("writes %j as %s", (schema, type) => {
    expect(schemaType(schema)).toBe(type);
  });
});
