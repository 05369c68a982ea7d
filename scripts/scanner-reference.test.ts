import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { scannerOpenApiDocument, scannerReference } from "./scanner-reference.ts";

const read = (name: string) => readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), "utf8");

describe("scannerReference", () => {
  it("is the content of docs/reference/scanner-api.md; npm run docs writes it", () => {
    expect(scannerReference()).toBe(read("scanner-api.md"));
  });
});

describe("scannerOpenApiDocument", () => {
  it("is the content of docs/reference/scanner-openapi.json; npm run docs writes it", () => {
    expect(scannerOpenApiDocument()).toBe(read("scanner-openapi.json"));
  });

  it("has no broken reference", () => {
    const text = scannerOpenApiDocument();
    const { schemas } = JSON.parse(text).components;
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? "");

    expect(references.filter((name) => !(name in schemas))).toEqual([]);
  });

  it("requires summaries to describe a package, a distribution or a repository", () => {
    const { components } = JSON.parse(scannerOpenApiDocument());
    const { vulnerability_summaries: summaries, vulnerability_summary: summary } = components.schemas;

    expect(summaries).toMatchObject({ type: "array", items: { $ref: "#/components/schemas/vulnerability_summary" } });
    expect(summary.anyOf).toEqual([
      { required: ["package"] },
      { required: ["distribution"] },
      { required: ["repository"] },
    ]);
    expect(summary.properties).toMatchObject({
      package: { $ref: "#/components/schemas/package" },
      distribution: { $ref: "#/components/schemas/distribution" },
      repository: { $ref: "#/components/schemas/repository" },
    });
  });

  it("declares 429 only where a slot is needed", () => {
    const { paths } = JSON.parse(scannerOpenApiDocument()) as Document;
    const declared = Object.values(paths).flatMap((methods) => Object.values(methods));

    const busy = declared.filter(({ responses }) => "429" in responses);
    expect(busy.map(({ operationId }) => operationId)).toEqual(["indexManifest"]);
  });
});

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Declared>>>>;
}

interface Declared {
  readonly operationId: string;
  readonly responses: object;
}
