import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { nameSources, testProgram } from "./test-programs.ts";

describe("a program that tests start", () => {
  const source = new URL("../../store/src/dialects/fixtures/lock-holder.ts", import.meta.url);
  const { path, execArgv } = testProgram(source);

  it("is a bundle; positions in its errors are those of its source", () => {
    const { status, stderr } = spawnSync(process.execPath, [...execArgv, path, import.meta.dirname], {
      encoding: "utf8",
      timeout: 20_000,
    });

    expect([status, path]).toEqual([1, expect.stringMatching(/lock-holder\.js$/)]);
    expect(stderr).toContain(pathToFileURL(dirname(path)).href);
    expect(nameSources(stderr)).toMatch(/at .*\(?packages\/store\/src\/[a-z/-]+\.ts:\d+:\d+\)?$/m);
  });

  it("is its source where there is no bundle", () => {
    expect(testProgram(new URL("no-such-program.ts", import.meta.url))).toMatchObject({
      path: expect.stringMatching(/no-such-program\.ts$/),
      execArgv: ["--conditions=plimsoll-source"],
    });
  });

  it("leaves other positions unchanged", () => {
    expect(nameSources("at file:///elsewhere/a.js:1:2")).toBe("at file:///elsewhere/a.js:1:2");
  });
});
