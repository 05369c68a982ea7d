import { createRouter } from "@plimsoll/http";
import { isRepositoryPath } from "@plimsoll/registry/values/names";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { registryOperations } from "../operations.ts";
import { isPathText } from "./read-request.ts";

const options = {
  spanning: "repository",
  isSpanned: isRepositoryPath,
  isSegment: isPathText,
  ignoresTrailingSlash: true,
};

/** Words of the paths, and other components of names. */
const words = [...new Set(registryOperations.flatMap(({ path }) => path.split("/")))].filter(isRepositoryPath);
const component = fc.oneof(fc.constantFrom(...words), fc.stringMatching(/^[a-z0-9]{1,8}(?:[._-][a-z0-9]{1,4}){0,2}$/));
const names = fc.array(component, { minLength: 2, maxLength: 6 }).map((parts) => parts.join("/"));
const texts = fc.oneof(component, fc.string({ minLength: 1, maxLength: 20, unit: "grapheme-ascii" }));
const ofRepositories = registryOperations.filter(({ path }) => path.includes("{repository}"));

describe("createRouter", () => {
  const long = "x".repeat(200);

  it.each<[string, string, string, unknown]>([
    ["GET", "/repository/acme/app/tag/", "listRepoTags", { repository: "acme/app" }],
    ["GET", "/repository/acme/a/b/tag", "listRepoTags", { repository: "acme/a/b" }],
    ["PUT", "/repository/acme/app/tag/v%31", "changeTag", { repository: "acme/app", tag: "v1" }],
    ["GET", `/repository/${long}/${long}`, "getRepo", { repository: `${long}/${long}` }],
  ])("finds %s %s again and again", (method, path, id, params) => {
    const find = createRouter(registryOperations, options);

    for (let time = 0; time < 2; time++) {
      const route = find(method, path);
      const match = route.kind === "found" ? route : undefined;
      expect([match?.operation.id, match?.params]).toEqual([id, params]);
      expect(() => Object.assign(match?.params ?? {}, { repository: "of/another" })).toThrow(TypeError);
    }
  });

  it("tells methods of one path apart, and what is nothing", () => {
    const find = createRouter(registryOperations, options);
    const kinds = () => ["GET", "PATCH", "PUT"].map((method) => find(method, "/repository/acme/app/tag/v1").kind);

    expect([kinds(), kinds()]).toEqual(Array(2).fill(["wrong-method", "wrong-method", "found"]));
    for (const path of ["/nowhere", "/nowhere", "/repository/%ff", ""]) expect(find("GET", path).kind).toBe("unknown");
  });

  it.each([
    ["DELETE", "/repository/admin/app/tag/x", ["deleteFullTag admin/app", "deleteRepository admin/app/tag/x"]],
    ["DELETE", "/repository/admin/app/tag/x/", ["deleteFullTag admin/app", "deleteRepository admin/app/tag/x"]],
    ["DELETE", "/repository/admin/app/tag/X", ["deleteFullTag admin/app"]],
    ["PUT", "/repository/app/tag/x", ["changeTag app", "updateRepo app/tag/x"]],
    [
      "PUT",
      "/repository/a/b/permissions/user/mirror",
      [
        "changeUserPermissions a/b",
        "changeRepoMirrorConfig a/b/permissions/user",
        "updateRepo a/b/permissions/user/mirror",
      ],
    ],
    ["DELETE", "/repository/admin%2Fapp/tag/x", ["deleteFullTag admin/app"]],
    ["DELETE", "/repository/admin%2fapp%2Ftag%2Fx", ["deleteRepository admin/app/tag/x"]],
    ["DELETE", "/repository/admin/app%2Ftag%2Fx", ["deleteRepository admin/app/tag/x"]],
    ["DELETE", "/repository/admin%2Fapp/other", []],
    ["GET", "/repository/app%2Flogs", ["getRepo app/logs"]],
    ["GET", "/repository/app%2Flogs/logs", ["listRepoLogs app/logs"]],
  ])("reads %s %s as %j", (method, path, readings) => {
    const route = createRouter(registryOperations, options)(method, path);

    const found = route.kind === "found" ? [route, ...route.others] : [];
    expect(found.map(({ operation, params }) => `${operation.id} ${params.repository}`)).toEqual(readings);
  });

  it("finds each operation of a repository by each name whose slashes are escaped, and nothing else", () => {
    const find = createRouter(registryOperations, options);

    fc.assert(
      fc.property(fc.constantFrom(...ofRepositories), names, fc.func(texts), (operation, repository, textOf) => {
        const given = (name: string) => (name === "repository" ? repository : `_${textOf(name)}`); // no word of a path
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given(name)));

        const route = find(operation.method, path);

        const params = Object.fromEntries(
          [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, given(name)]),
        );
        expect(route).toMatchObject({ kind: "found", operation: { id: operation.id }, params, others: [] });
      }),
    );
  });

  it("never reads what follows a name with escaped slashes as a part of it", () => {
    const find = createRouter(registryOperations, options);
    const rest = fc.array(texts, { maxLength: 4 });

    fc.assert(
      fc.property(fc.constantFrom("GET", "PUT", "POST", "DELETE"), names, rest, (method, repository, parts) => {
        const path = ["/repository", repository, ...parts].map((part, index) =>
          index === 0 ? part : encodeURIComponent(part),
        );

        const route = find(method, path.join("/"));

        if (route.kind === "found") expect(route).toMatchObject({ params: { repository }, others: [] });
      }),
    );
  });
});
