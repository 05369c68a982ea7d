import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { scanErrorCodes } from "./errors.ts";

const page = readFileSync(new URL("../../../docs/reference/errors.md", import.meta.url), "utf8");
const [scanErrors = ""] = page.split("\n## ");

describe("scanErrorCodes", () => {
  it("lists what docs/reference/errors.md explains, and nothing else", () => {
    const documented = [...scanErrors.matchAll(/^\| `([a-z_]+)`\s*\|/gm)].map((match) => match[1]);

    expect(documented).toEqual([...scanErrorCodes]);
  });
});
