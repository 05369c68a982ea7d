import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandReference } from "./command-reference.ts";

describe("commandReference", () => {
  it("is the content of docs/reference/command-line.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/reference/command-line.md", import.meta.url), "utf8");

    expect(commandReference()).toBe(page);
  });
});
