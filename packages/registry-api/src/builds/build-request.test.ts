import { describe, expect, it } from "vitest";
import { buildName, planBuild } from "./build-request.ts";

const archive_url = "https://example.com/app.tar.gz";

describe("planBuild", () => {
  it.each([
    [{}, { dockerfilePath: "/Dockerfile", context: "/", tags: ["latest"] }],
    [{ subdirectory: "app" }, { dockerfilePath: "/app/Dockerfile", context: "/app" }],
    [
      { subdirectory: "/app/", context: "/" },
      { dockerfilePath: "/app/Dockerfile", context: "/" },
    ],
    [{ dockerfile_path: "build/Dockerfile.prod" }, { dockerfilePath: "/build/Dockerfile.prod", context: "/build" }],
    [
      { dockerfile_path: "Dockerfile", context: "src" },
      { dockerfilePath: "/Dockerfile", context: "/src" },
    ],
    [{ tags: ["v1"] }, { tags: ["v1"] }],
    [{ docker_tags: ["v1"] }, { tags: ["v1"] }],
    [{ build_args: { VERSION: "1 = 2" } }, { arguments: { VERSION: "1 = 2" } }],
    [{ tags: ["a b", "a_b", "-x"] }, { tags: ["a_b", "_x"] }],
  ])("reads %j", (request, plan) => {
    expect(planBuild({ archive_url, ...request })).toMatchObject(plan);
  });

  it.each([
    [{ archive_url: undefined }, /archive_url required/],
    [{ archive_url: "ftp://example.com/a" }, /http or https/],
    [{ archive_url: "file:///etc/passwd" }, /http or https/],
    [{ archive_url: "nowhere" }, /http or https/],
    [{ file_id: "x" }, /older build system/],
    [{ subdirectory: "a", dockerfile_path: "b" }, /cannot be combined/],
    [{ subdirectory: "../.." }, /leads out/],
    [{ dockerfile_path: "/../Dockerfile" }, /leads out/],
    [{ build_args: { "A B": "x" } }, /A B is no name of an argument/],
    [{ build_args: { "--squash": "x" } }, /no name of an argument/],
    [{ build_args: { A: "x\0y" } }, /zero byte/],
    [{ build_args: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`A${at}`, ""])) }, /more than 100/],
  ])("refuses %j", (request, message) => {
    expect(() => planBuild({ archive_url, ...request } as never)).toThrow(message);
  });
});

describe("buildName", () => {
  it("is short and the same for the same archive", () => {
    expect(buildName(archive_url)).toMatch(/^[0-9a-f]{7}$/);
    expect(buildName(archive_url)).toBe(buildName(archive_url));
  });
});
