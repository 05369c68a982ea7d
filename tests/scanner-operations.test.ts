import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readServed } from "./support/served-operations.ts";

const document = JSON.parse(
  readFileSync(new URL("../docs/reference/scanner-openapi.json", import.meta.url), "utf8"),
) as OpenApi;

const scannerPaths = /^\/(?:indexer|matcher|notifier)\//;

/** Operations of the golden table that the contract does not have. */
const extensions = readServed()
  .filter(({ path }) => scannerPaths.test(path))
  .map(({ id }) => id)
  .filter((id) => !readContract().some((operation) => operation.id === id));

describe("the OpenAPI document", () => {
  it("has exactly the operations of the contract, and those of our own", () => {
    const contract = readContract();
    const declared = operationsOf(document);
    const byId = (a: Operation, b: Operation) => (a.id < b.id ? -1 : 1);

    expect(contract).toHaveLength(12);
    expect(declared.filter(({ id }) => !extensions.includes(id)).sort(byId)).toEqual(contract.toSorted(byId));
    expect(declared).toHaveLength(contract.length + extensions.length);
  });
});

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly success: number;
  readonly internal: boolean;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly "x-internal"?: boolean;
  readonly responses: Readonly<Record<string, unknown>>;
}

function readContract(): readonly Operation[] {
  const lines = readFileSync(new URL("support/scanner-operations.jsonl", import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      success: Number(Object.keys(operation.responses).find((status) => status.startsWith("2"))),
      internal: operation["x-internal"] ?? false,
    })),
  );
}
