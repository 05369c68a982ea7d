import { createRouter } from "@plimsoll/http";
import { describe, expect, it } from "vitest";
import { registryOperations } from "../operations.ts";
import { isPathText } from "./check-texts.ts";

const options = { spanning: "repository", isSegment: isPathText, ignoresTrailingSlash: true };

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
});
