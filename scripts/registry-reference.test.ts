import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { registryReference } from "./registry-reference.ts";

describe("registryReference", () => {
  it("is the content of docs/reference/registry-api.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/reference/registry-api.md", import.meta.url), "utf8");

    expect(page).toBe(registryReference());
  });
});
