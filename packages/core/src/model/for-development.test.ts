import { describe, expect, it } from "vitest";
import { parseDigest } from "./digest.ts";
import { isForDevelopment } from "./for-development.ts";

const repositories = {
  "1": { id: "1", name: "npm", key: "language" },
  "2": { id: "2", name: "development", key: "scope" },
  "3": { id: "3", name: "development" },
};
const introducedIn = parseDigest(`sha256:${"0".repeat(64)}`);
const seenIn = (...repositoryIds: string[]) => ({ packageDb: "package-lock.json", introducedIn, repositoryIds });

describe("isForDevelopment", () => {
  it.each([
    ["marked", [seenIn("1", "2")], true],
    ["marked everywhere", [seenIn("1", "2"), seenIn("1", "2")], true],
    ["needed in one place", [seenIn("1", "2"), seenIn("1")], false],
    ["not marked", [seenIn("1")], false],
    ["of a repository of that name", [seenIn("3")], false],
    ["seen nowhere", [], false],
  ])("a package %s: %s", (_, seen, expected) => {
    expect(isForDevelopment({ environments: { p: seen }, repositories }, "p")).toBe(expected);
  });
});
