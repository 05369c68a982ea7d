import { tagsOfPush } from "@plimsoll/registry/builds/accept-push";
import { describe, expect, it } from "vitest";
import { readPush } from "./register-build-hooks.ts";

const commit = "a".repeat(40);
const push = { ref: "refs/heads/main", after: commit, repository: { default_branch: "main" } };
const bytes = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));

describe("readPush", () => {
  it.each<readonly [title: string, body: object, event: string | undefined, tags: readonly string[]]>([
    ["GitHub, Gitea and Forgejo", push, "push", ["main", "latest"]],
    ["another branch", { ...push, ref: "refs/heads/feature/x" }, "push", ["feature/x"]],
    ["a tag", { ...push, ref: "refs/tags/v1.2" }, "push", ["v1.2"]],
    [
      "GitLab",
      { ref: "refs/heads/main", checkout_sha: commit, project: { default_branch: "main" } },
      "Push Hook",
      ["main", "latest"],
    ],
    ["a tag of GitLab", { ref: "refs/tags/v1", checkout_sha: commit, after: "b".repeat(40) }, "Tag Push Hook", ["v1"]],
    ["a script", { ref: "refs/heads/main", commit, default_branch: "main" }, undefined, ["main", "latest"]],
    ["SHA-256", { ref: "refs/heads/a", commit: "c".repeat(64) }, undefined, ["a"]],
  ])("reads a push of %s", (_, body, event, tags) => {
    const read = readPush(bytes(body), event);

    expect(read && tagsOfPush(read)).toEqual(tags);
  });

  it.each([
    ["a ping", {}, "ping"],
    ["an issue", {}, "issues"],
    ["a deleted branch", { ...push, after: "0".repeat(40) }, "push"],
    ["a branch that is said to be deleted", { ...push, deleted: true }, "push"],
  ])("ignores %s", (_, body, event) => {
    expect(readPush(bytes(body), event)).toBeUndefined();
  });

  it.each([
    ["no JSON", "payload=%7B%7D", /expected JSON/],
    ["a list", "[]", /expected JSON/],
    ["no reference", { after: commit }, /ref: expected/],
    ["another kind of reference", { ...push, ref: "refs/pull/1/head" }, /ref: expected/],
    ["an option as a reference", { ...push, ref: "--upload-pack=x" }, /ref: expected/],
    ["no commit", { ref: push.ref }, /hash of a commit/],
    ["an option as a commit", { ...push, after: "--upload-pack=x" }, /hash of a commit/],
    ["a short commit", { ...push, after: "abc1234" }, /hash of a commit/],
  ])("refuses %s", (_, body, message) => {
    expect(() => readPush(bytes(body), "push")).toThrow(message);
  });
});
