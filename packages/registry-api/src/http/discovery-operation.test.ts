import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

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
