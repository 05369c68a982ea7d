import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { readTables } from "../scripts/shipped-tables.ts";

const corpus = findCorpus();

describe.skipIf(corpus === undefined)("the tables that the clone brings along", () => {
  it.each(corpus === undefined ? [] : readTables(corpus))("has $path as the shared folder has it", ({ path, text }) => {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), "utf8")).toBe(text);
  });
});
