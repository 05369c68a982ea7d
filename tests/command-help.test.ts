/** The help of every command, as wide as the terminal. */
import { allEcosystems, createEngine } from "@plimsoll/core";
import { feedNames } from "@plimsoll/matcher";
import { describe, expect, it } from "vitest";
import { feedList } from "../packages/server/src/cli/help-texts.ts";
import { createProgram } from "../packages/server/src/cli/program.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";

const silent = { write: () => true };
const io = { stdin: process.stdin, stdout: silent, stderr: silent, env: {}, now: () => 0 };
const { command: program } = createProgram(io, "");
const commands = [[], ...pathsOf(program)];

function pathsOf({ commands: own }: typeof program): string[][] {
  return own.flatMap((each) => [[each.name()], ...pathsOf(each).map((path) => [each.name(), ...path])]);
}

describe("plimsoll --help", () => {
  it.each([[undefined], [50], [60], [80], [100], [200]])("fits a terminal that is %j wide", async (columns) => {
    const surroundings = columns === undefined ? {} : { columns };
    for (const words of commands) {
      const { code, stdout } = await runPlimsoll([...words, "--help"], surroundings);
      const longest = Math.max(...stdout.split("\n").map((line) => line.length));

      expect({ words, code, longest: Math.min(longest, columns ?? 80) }).toEqual({ words, code: 0, longest });
    }
  });

  it("says what the exit codes of every command mean", async () => {
    for (const words of commands) {
      if (commands.some((other) => other.length > words.length && words.every((word, at) => other[at] === word)))
        continue;
      expect([words, (await runPlimsoll([...words, "--help"])).stdout]).toEqual([
        words,
        expect.stringMatching(/^Exit codes:\n {2}0 /m),
      ]);
    }
  });

  it("lists every feed that db update has", () => {
    const feeds = feedNames(createEngine({ ecosystems: allEcosystems }));

    expect(feedList).toEqual(feeds.toSorted());
  });

  it("fits where a bare word asks for it", async () => {
    const [bare, asked] = [await runPlimsoll(["db"]), await runPlimsoll(["db", "--help"])];

    expect(bare.stdout).toBe(asked.stdout);
    expect((await runPlimsoll([])).stdout).toMatch(/^ {34}and report$/m);
  });

  it("wraps what stands beside a term, and puts it under a term that is too long", async () => {
    const { stdout } = await runPlimsoll(["--help"]);
    const sources = (await runPlimsoll(["scan", "--help"])).stdout;

    expect(stdout).toMatch(/^ {2}scan\|image \[options\] <source> {3}index an image, .*\n {34}and report$/m);
    expect(stdout).toMatch(/^ {2}explain \[options\] <source> <vulnerability>\n {34}explain why /m);
    expect(sources).toMatch(/^ {2}no prefix {15}a file or folder .*\n {26}reference$/m);
    expect(sources).toMatch(/^ {2}3 {4}the scan failed; .*\n {7}scan was incomplete, or something is undecided$/m);
  });

  it.each([
    [["serve"], /0 +stopped by Ctrl-C or SIGTERM, after drainSeconds/],
    [["scan"], /130 +interrupted with Ctrl-C; 143: ended by SIGTERM/],
    [["licenses"], /1 +a package has a licence that is not allowed/],
    [["why"], /3 +the image cannot be read, or has no such package/],
    [["report"], /130 +interrupted with Ctrl-C/],
    [["db", "update"], /130 +interrupted with Ctrl-C/],
    [["scan"], /-f, --format <format\[=file\]> +the same as --output/],
    [["index"], /-f, --format/],
  ])("%j says %s", async (words, text) => {
    expect((await runPlimsoll([...words, "--help"])).stdout).toMatch(text);
  });
});
