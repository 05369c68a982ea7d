import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { contractStatements } from "./fixtures/contract-statements.ts";
import { readParameters } from "./fixtures/read-parameters.ts";

const corpus = findCorpus();

/** Rows of tables without parameters only have an operation and its status, which the golden table has. */
const onlyOperation = /\| (?:-|none) \| (?:20[0-9]|not listed here) \|$/;

describe.skipIf(corpus === undefined)("the statements of the registry contract", () => {
  const lines = corpus === undefined ? [] : contractLines();

  it("are about the lines that they name", () => {
    const strayed = contractStatements.filter(({ line, holds }) => !lines[line - 1]?.includes(holds));
    const parameters = readParameters().flatMap(({ line, members }) =>
      members.filter(({ name }) => !isNamedAt(lines, line, name)).map(({ name }) => `${line} ${name}`),
    );

    expect(strayed.map(({ line, holds }) => `${line} ${holds}`)).toEqual([]);
    expect(parameters).toEqual([]);
  });

  it("are there for every operation that says more than its status", () => {
    const first = lines.indexOf("## Endpoints");
    const last = lines.indexOf("### Example flows");
    const known = new Set([...contractStatements, ...readParameters()].map(({ line }) => line));
    const told = lines.flatMap((line, index) => {
      const columns = line.split(" | ").length;
      const isRow = index > first && index < last && /^\| [a-z]\w+ ?\w* ?\w* \| (?:GET|POST|PUT|DELETE)/.test(line);
      return isRow && columns > 3 && !onlyOperation.test(line) && !isBare(line) ? [index + 1] : [];
    });

    expect(told.filter((line) => !known.has(line)).map((line) => `${line}: ${lines[line - 1]}`)).toEqual([]);
  });
});

/** Rows of tables without a column for parameters, and paths that are described with the others of their group. */
function isBare(line: string): boolean {
  return line.split(" | ").length === 4 && / \| (?:[a-z]+:[a-z]+) \| 20[0-9] \|$/.test(line);
}

/** The members of mirrors are in a separate table, and those of changeOrganization in the table that its row refers to. */
function isNamedAt(lines: readonly string[], line: number, name: string): boolean {
  const elsewhere = [lines.slice(63, 92).join("\n")];
  return lines[line - 1]?.includes(name) === true || elsewhere.some((text) => text.includes(name));
}

function contractLines(): readonly string[] {
  return readFileSync(`${corpus}/contract/registry-management-api.md`, "utf8").split("\n");
}
