import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileExamples, exampleProgram, runExamples, saysValues } from "./examples.ts";
import { openSources } from "./source-program.ts";

const root = join(import.meta.dirname, "../..");

describe("saysValues", () => {
  it.each([
    ["f(1); // -1", true],
    ['f(1); // "text"', true],
    ["f(1); // [1, undefined, { a: true }]", true],
    ["f(1); // a Fastify instance", false],
    ["f(1); // value", false],
    ["f(1); // a; b", false],
    ["f(1); //", false],
    ["const a = f(1); // 1", false],
  ])("of %s is %s", (text, says) => {
    expect(saysValues({ name: "f", text })).toBe(says);
  });
});

describe("runExamples", () => {
  it.each([
    ["Math.max(1, 2); // 2", []],
    ["Math.max(1, 2); // 3", ["max: Math.max(1, 2); yields 2"]],
    ['import { basename, type ParsedPath } from "node:path";\nbasename("/a/b"); // "b"', []],
    ["const two: number = 2;\n[two]; // [2]", []],
    ["await Promise.resolve(1); // 1", []],
  ])("of %j finds %j", (text, problems) => {
    expect(runExamples([{ name: "max", text }], root)).toEqual(problems);
  });

  it("fails where an example throws", () => {
    expect(() => runExamples([{ name: "max", text: 'throw new Error("sunk");' }], root)).toThrow("sunk");
  });
});

describe("examples of sources", () => {
  const sources = openSources(root, ["packages/http"]);
  const program = (example: string) => exampleProgram(example, "@plimsoll/http", sources.packages);

  it.each([
    ["new RequestError;", 'import { RequestError } from "@plimsoll/http";\n\nnew RequestError;'],
    [
      "declare const it: RequestErrorCode;",
      'import type { RequestErrorCode } from "@plimsoll/http";\n\ndeclare const it: RequestErrorCode;',
    ],
    ["const RequestError = 1; RequestError;", "const RequestError = 1; RequestError;"],
    ["({ RequestError: 1 }).RequestError;", "({ RequestError: 1 }).RequestError;"],
    ['import { a } from "a";\na();', 'import { a } from "a";\n\na();'],
  ])("of %j is %j as a program", (example, expected) => {
    expect(program(example)).toBe(expected);
  });

  it.each([
    ['throw new RequestError("unauthorized", "sign in first");', 0],
    ["throw new RequestError(1);", 1],
    ["sail();", 1],
  ])("%j has %i problems for the compiler", (example, count) => {
    const found = compileExamples([{ name: "it", text: program(example) }], sources, join(root, "scripts"));

    expect(found).toHaveLength(count);
  });
});
