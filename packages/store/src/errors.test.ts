import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { storeErrorCodes } from "./errors.ts";

const page = readFileSync(new URL("../../../docs/reference/errors.md", import.meta.url), "utf8");
const section = page.split("\n## ").find((text) => text.startsWith("Databases")) ?? "";

describe("storeErrorCodes", () => {
  it("lists what docs/reference/errors.md explains, and nothing else", () => {
    const documented = [...section.matchAll(/^\| `([a-z_]+)`\s*\|/gm)].map((match) => match[1]);

    expect(documented).toEqual([...storeErrorCodes]);
  });
});
