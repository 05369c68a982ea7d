import { describe, expect, it } from "vitest";
import { type BuildRequest, buildName, planBuild } from "./build-request.ts";

const archive_url = "https://example.com/app.tar.gz";

/** The request with an archive as its source, unless it has another one. */
function withSource(request: BuildRequest): BuildRequest {
  return request.git_url !== undefined || request.file_id !== undefined ? request : { archive_url, ...request };
}

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
    [
      { git_url: "https://git.example/x.git" },
      { source: { kind: "git", url: "https://git.example/x.git", ref: "HEAD" } },
    ],
    [{ file_id: `sha256:${"a".repeat(64)}` }, { source: { kind: "upload", digest: `sha256:${"a".repeat(64)}` } }],
    [{ tags: ["a b", "a_b", "-x"] }, { tags: ["a_b", "_x"] }],
  ])("reads %j", (request, plan) => {
    expect(planBuild(withSource(request))).toMatchObject(plan);
  });

  it.each<readonly [request: object, message: RegExp]>([
    [{ archive_url: undefined }, /archive_url required/],
    [{ archive_url: "ftp://example.com/a" }, /http or https/],
    [{ archive_url: "file:///etc/passwd" }, /http or https/],
    [{ archive_url: "nowhere" }, /http or https/],
    [{ file_id: "x" }, /older build system/],
    [{ archive_url, file_id: `sha256:${"a".repeat(64)}` }, /cannot be combined/],
    [{ git_ref: "main" }, /expected git_url as well/],
    ...["http://git.example/x", "ssh://git.example/x", "git@git.example:x", "/etc", "ext::sh -c id"].map(
      (git_url) => [{ git_url }, /begins with https:/] as const,
    ),
    [{ git_url: "https://a:b@git.example/x" }, /without credentials/],
    ...["-x", "--upload-pack=x", "a..b", "a b", "a@{1}", "a.lock", "/a", "a/", "a:b", "+a", "a^"].map(
      (git_ref) => [{ git_url: "https://git.example/x", git_ref }, /git_ref: expected/] as const,
    ),
    [{ subdirectory: "a", dockerfile_path: "b" }, /cannot be combined/],
    [{ subdirectory: "../.." }, /leads out/],
    [{ dockerfile_path: "/../Dockerfile" }, /leads out/],
    [{ build_args: { "A B": "x" } }, /A B is no name of an argument/],
    [{ build_args: { "--squash": "x" } }, /no name of an argument/],
    [{ build_args: { A: "x\0y" } }, /zero byte/],
    [{ build_args: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`A${at}`, ""])) }, /more than 100/],
  ])("refuses %j", (request, message) => {
    expect(() => planBuild(withSource(request as never))).toThrow(message);
  });
});

describe("buildName", () => {
  it("is short and the same for the same archive", () => {
    const source = { kind: "archive", url: archive_url } as const;
    expect(buildName(source)).toMatch(/^[0-9a-f]{7}$/);
    expect(buildName(source)).toBe(buildName({ ...source }));
  });
});
