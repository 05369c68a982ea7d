import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
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
    "maxProperties",
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

describe("discoveryOperations", () => {
  it("describe an operation from its declaration", async () => {
    await using registry = await openTestRegistry();

    const { status, body } = await registry.anonymous("GET", "/discovery");

    expect(status).toBe(200);
    expect(body).toMatchObject({ swagger: "2.0", host: "localhost", schemes: ["http"], basePath: "/" });
    expect(body.paths["/api/v1/organization/{orgname}/logs"].get).toMatchObject({
      operationId: "listOrgLogs",
      tags: ["logs"],
      security: [{ oauth2_implicit: ["org:admin"] }],
      responses: {
        200: { schema: { $ref: "#/definitions/listOrgLogsResult" } },
        401: { description: "Session required" },
      },
    });
    expect(body.paths["/api/v1/organization/{orgname}/logs"].get.parameters).toContainEqual(
      expect.objectContaining({ name: "orgname", in: "path", required: true, type: "string" }),
    );
    expect(Object.keys(body.definitions)).toContain("ApiError");
  });

  it("lists superusers' operations only for those who ask for all", async () => {
    await using registry = await openTestRegistry();
    const paths = async (query: string) =>
      Object.keys((await registry.anonymous("GET", `/discovery${query}`)).body.paths);

    expect(await paths("")).not.toContain("/api/v1/superuser/logs");
    expect(await paths("?internal=true")).toContain("/api/v1/superuser/logs");
    expect(await paths("?internal=false")).not.toContain("/api/v1/superuser/logs");
  });

  it("says what each group of operations is about", async () => {
    await using registry = await openTestRegistry();

    const { tags, paths } = (await registry.anonymous("GET", "/discovery?internal=true")).body;

    const used = Object.values<Record<string, { tags?: string[] }>>(paths).flatMap((path) =>
      Object.values(path).flatMap(({ tags: own }) => own ?? []),
    );
    expect(tags.map(({ name }: { name: string }) => name)).toEqual([...new Set(used)].sort());
    expect(
      tags.filter(({ name, description }: Record<string, string>) => !description || description === name),
    ).toEqual([]);
    expect(paths["/api/v1/message/{uuid}"].delete.responses[204]).toEqual({ description: "Deleted" });
  });

  it.each([
    { superusers: true, offered: true },
    { superusers: false, offered: false },
  ])("offers the scope of superusers: $offered, where there are some: $superusers", async ({ superusers, offered }) => {
    await using registry = await openTestRegistry({ features: { superusers } });

    const { securityDefinitions, paths } = (await registry.anonymous("GET", "/discovery?internal=true")).body;

    const { scopes } = securityDefinitions.oauth2_implicit;
    expect(Object.hasOwn(scopes, "super:user")).toBe(offered);
    expect(Object.hasOwn(scopes, "org:admin")).toBe(true);
    expect(Object.hasOwn(paths, "/api/v1/superuser/logs")).toBe(offered);
    expect(Object.keys(paths["/api/v1/messages"])).toEqual(["x-path", "x-tag", "get", ...(offered ? ["post"] : [])]);
  });

  it("refers only to what it defines", async () => {
    await using registry = await openTestRegistry();
    const { body } = await registry.anonymous("GET", "/discovery?internal=true");

    const references = [...JSON.stringify(body.paths).matchAll(/#\/definitions\/(\w+)/g)].map(([, name]) => name);

    expect(references.filter((name) => !Object.hasOwn(body.definitions, name ?? ""))).toEqual([]);
  });
});
