import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scopes } from "@plimsoll/registry/access/scopes";
import { describe, expect, it } from "vitest";
import { isDangerous } from "../packages/console/web/applications/scopes.ts";
import { applications } from "../packages/console/web/texts/en/applications.ts";
import { consoleClient } from "./console-client.ts";
import { schemaType } from "./lib/schema-type.ts";

const folder = join(import.meta.dirname, "../packages/console/web/api/generated");

describe("consoleClient", () => {
  const files = consoleClient();

  it("has a file for each group of operations, and no other", () => {
    expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort());
  });

  it.each([...files])("is the content of %s; npm run docs writes it", (name, text) => {
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

describe("the scopes that the console offers", () => {
  it("are those of the registry, with their labels", () => {
    const labels = Object.entries(scopes).map(([scope, { title, description }]) => [scope, { title, description }]);

    expect(applications.scopes).toEqual(Object.fromEntries(labels));
  });

  it.each(Object.entries(scopes))("knows whether %s is dangerous", (scope, { dangerous }) => {
    expect(isDangerous([scope as keyof typeof scopes])).toBe(dangerous);
  });
});
