import { cpuMsOf } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { isRepositoryPath, isTagName } from "./names.ts";

describe("isRepositoryPath", () => {
  it.each([
    "a",
    "alice/app",
    "alice/app/sub/deeper",
    "a.b/c_d/e__f/g-h/i---j",
    "1/2",
    `alice/${"a".repeat(249)}`,
    Array.from({ length: 128 }, () => "a").join("/"),
  ])("takes %s", (path) => {
    expect(isRepositoryPath(path)).toBe(true);
  });

  it.each([
    "",
    "/",
    "alice/",
    "/app",
    "alice//app",
    "Alice/app",
    "alice/App",
    "alice/.app",
    "alice/app.",
    "alice/-app",
    "alice/app-",
    "alice/_app",
    "alice/app_",
    "alice/a..b",
    "alice/a___b",
    "alice/a._b",
    "alice/a.-b",
    "alice/a_-b",
    "alice/a-_b",
    "alice/../app",
    "alice/app:1",
    "alice/a b",
    "alice/app\n",
    "alice/äpp",
    `alice/${"a".repeat(250)}`,
    Array.from({ length: 129 }, () => "a").join("/"),
  ])("refuses %j", (path) => {
    expect(isRepositoryPath(path)).toBe(false);
  });

  it.each(["a-".repeat(100), "a__".repeat(80), "-".repeat(255), "a/".repeat(127)])(
    "answers at once for what nearly fits: %s",
    (path) => {
      const cpuMs = cpuMsOf(() => {
        for (let round = 0; round < 1000; round++) isRepositoryPath(`${path}!`);
      });

      expect(cpuMs).toBeLessThan(1000);
    },
  );
});

describe("isTagName", () => {
  it.each(["1", "latest", "v1.0-rc_1", "_", "A", "a".repeat(128)])("takes %s", (name) => {
    expect(isTagName(name)).toBe(true);
  });

  it.each(["", ".a", "-a", "a:b", "a/b", "a b", "ä", "a\n", "a".repeat(129)])("refuses %j", (name) => {
    expect(isTagName(name)).toBe(false);
  });
});
