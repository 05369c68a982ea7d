import { maxLogCharacters, maxLogLines, readable } from "@plimsoll/registry/builds/build-log";
import { testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openBuildWorld } from "./fixtures/build-world.ts";

const archive_url = "https://archives.example/app.tar.gz";
const [engine] = testEngines;
if (engine === undefined) throw new Error("there is no engine");

describe("readable", () => {
  it.each([
    ["\u001b[1;31merror\u001b[0m\tin x", "error\tin x"],
    ["\u001b]0;title\u0007 \u001b[2J", "\\x1b]0;title\\x07 \\x1b[2J"],
    ["a\u009b31m\0 \u202e b", "a\\x9b31m\\x00 \\u202e b"],
    ["two\nlines", "two\nlines"],
  ])("shows %j as %j", (output, shown) => {
    expect(readable(output)).toBe(shown);
  });
});

describe("BuildLogWriter", () => {
  it.each([
    ["many lines", "x", maxLogLines + 10],
    ["long lines", "x".repeat(4000), Math.ceil(maxLogCharacters / 4000) + 10],
  ])("keeps the beginning of %s, and the end of the build", async (_, line, count) => {
    const lines = Array.from({ length: count }, () => line);
    const imageBuilder = {
      async *build() {
        for (let at = 0; at < count; at += 500) yield { kind: "output", lines: lines.slice(at, at + 500) } as const;
        yield { kind: "pushed", digest: `sha256:${"d".repeat(64)}` } as const;
      },
    };
    await using world = await openBuildWorld({
      engine,
      archives: { [archive_url]: Buffer.from("files") },
      imageBuilder,
    });
    const { id } = await world.request({ archive_url });

    await world.runOne();

    const { total } = await world.log(id);
    const { logs } = await world.log(id, total - 2);
    expect(logs.map(({ message }) => message)).toEqual(["(further output is not kept)", "complete"]);
    expect(total).toBeLessThan(count);
  });
});
