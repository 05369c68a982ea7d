import { describe, expect, it } from "vitest";
import { hostProblem } from "./host-problem.ts";

describe("hostProblem", () => {
  it.each([
    "registry.example",
    "registry.example:5000",
    "127.0.0.1:5000",
    "[::1]:5000",
    "[fe80::1%25eth0]",
    "my_host",
    "b%C3%BCcher.example",
    "registry.example:",
    "",
  ])("has nothing against %j", (value) => {
    expect(hostProblem({ httpVersion: "1.1", rawHeaders: ["Accept", "*/*", "Host", value] })).toBeUndefined();
  });

  it.each(["a b", "a/b", "a@b", "a:b", "::1", "[::1", "a#b", "a?b", "a\\b", '"a"', "a:1:2", "\u00fc"])(
    "rejects %j",
    (value) => {
      expect(hostProblem({ httpVersion: "1.1", rawHeaders: ["Host", value] })).toContain("found another text");
    },
  );
});
