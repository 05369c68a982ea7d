import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { scannerStatements } from "./support/scanner-statements/all.ts";

const corpus = findCorpus();

/** Lines that state nothing: headings, heads and rulers of tables, and what the contract leaves open. */
const stateNothing = [/^$/, /^#/, /^\|---/, /^\| (?:Field|Operation) \|/, /: not shown\.$/, /^Internal endpoints \(/];

describe.skipIf(corpus === undefined)("the statements of the scanner's contract", () => {
  const text = corpus === undefined ? "" : readFileSync(`${corpus}/contract/vulnerability-scanner-api.md`, "utf8");
  const lines = text.split("\n");

  it("are about the lines that they name", () => {
    const strayed = scannerStatements.filter(({ line, word }) => !lines[line - 1]?.includes(word));

    expect(strayed.map(({ line, word }) => `${line} ${word}`)).toEqual([]);
  });

  it("are there for every line that states something", () => {
    const known = new Set(scannerStatements.map(({ line }) => line));
    const missing = lines.flatMap((line, index) =>
      known.has(index + 1) || stateNothing.some((pattern) => pattern.test(line)) ? [] : [`${index + 1}: ${line}`],
    );

    expect(missing).toEqual([]);
  });
});
