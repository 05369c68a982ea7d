import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { describe, expect, it } from "vitest";
import { registryOperations } from "../operations.ts";
import { discoveryDocuments } from "./discovery.ts";

/** The members of Swagger schemas that our schemas use. @see https://github.com/OAI/OpenAPI-Specification/blob/main/versions/2.0.md#schema-object */
const words = [
  ...[
    "$ref",
    "additionalProperties",
    "allOf",
    "description",
    "enum",
    "format",
    "items",
    "properties",
    "required",
    "type",
  ],
  ...[
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "minProperties",
    "pattern",
    "uniqueItems",
  ],
];

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

/** The members of a schema and of nested ones that Swagger does not have. */
function foreignWords(schema: Schema): readonly string[] {
  const { properties = {}, allOf = [], items, additionalProperties: others } = schema;
  const parts = [...Object.values(properties), ...allOf, ...[items, others].filter((part) => typeof part === "object")];
  const foreign = Object.keys(schema).filter((word) => !words.includes(word) && !word.startsWith("x-"));
  return [...foreign, ...parts.flatMap(foreignWords)];
}

describe("discoveryDocuments", () => {
  const documents = discoveryDocuments(registryOperations, defaultRegistrySettings, { internal: true });
  const document = documents({ scheme: "http", host: "localhost" });
  const definitions = document.definitions as Readonly<Record<string, Schema>>;

  it("describes bodies and answers in the words of Swagger 2.0", () => {
    const foreign = Object.entries(definitions).flatMap(([name, schema]) =>
      foreignWords(schema).map((word) => `${name}: ${word}`),
    );

    expect(foreign).toEqual([]);
  });

  it("offers each word once, whatever its case: generated clients name constants after them", () => {
    const { createOrganizationQuotaLimitBody } = definitions;

    expect(createOrganizationQuotaLimitBody?.properties?.type).toMatchObject({ enum: ["Warning", "Reject"] });
  });

  it("says what may be null, what is always the same, and what is in maps", () => {
    const { createProxyCacheConfigResult, ViewMirrorConfig } = definitions;

    expect(createProxyCacheConfigResult).toEqual({ type: "string", enum: ["Created"] });
    expect(ViewMirrorConfig?.properties).toMatchObject({
      external_registry_username: { type: "string", "x-nullable": true },
      external_registry_config: { type: "object", additionalProperties: {} },
    });
  });

  it("marks operations that the contract does not have and that are our own", () => {
    const paths = document.paths as Readonly<Record<string, Readonly<Record<string, unknown>>>>;

    expect(paths["/api/v1/superuser/jobs"]?.get).toMatchObject({ operationId: "listJobs", "x-plimsoll": true });
    expect(paths["/api/v1/superuser/keys"]?.get).toHaveProperty("x-plimsoll", undefined);
  });
});
