import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { scannerOpenApiDocument, scannerReference } from "./scanner-reference.ts";

const read = (name: string) => readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), "utf8");

describe("scannerReference", () => {
  it("is what docs/reference/scanner-api.md holds; npm run docs writes it anew", () => {
    expect(scannerReference()).toBe(read("scanner-api.md"));
  });
});

describe("scannerOpenApiDocument", () => {
  it("is what docs/reference/scanner-openapi.json holds; npm run docs writes it anew", () => {
    expect(scannerOpenApiDocument()).toBe(read("scanner-openapi.json"));
  });

  it("has no reference that leads nowhere", () => {
    const text = scannerOpenApiDocument();
    const { schemas } = JSON.parse(text).components;
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? "");

    expect(references.filter((name) => !(name in schemas))).toEqual([]);
  });
});
