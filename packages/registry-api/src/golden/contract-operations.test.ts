import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { registryOperations } from "../operations.ts";
import { readGolden } from "./fixtures/read-golden.ts";

interface ContractOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
  /** Null if the contract has none. */
  readonly success: number | null;
}

function readContract(): readonly ContractOperation[] {
  const lines = readFileSync(new URL("fixtures/contract-operations.jsonl", import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

describe("the golden table", () => {
  it("has the 159 operations of the contract, with their methods, paths, scopes and successes", () => {
    const contract = readContract();

    const ids = new Set(contract.map(({ id }) => id));
    const ofContract = readGolden().filter(({ id }) => ids.has(id));
    const rows = ofContract.map(({ id, method, path, scope = null, success }) => ({
      id,
      method,
      path,
      scope,
      success,
    }));

    const named = contract.map(({ id, method, path, scope, success }, index) => {
      const unnamed = success ?? rows[index]?.success;
      return { id, method, path: path.replace("/api/v1", ""), scope, success: unnamed };
    });
    expect(rows).toHaveLength(159);
    expect(rows).toEqual(named);
  });

  it("has other operations only as our own, or for use inside of the registry", () => {
    const ids = new Set(readContract().map(({ id }) => id));
    const others = registryOperations.filter(({ id }) => !ids.has(id));
    const unmarked = others.filter(({ isOwn, internal }) => isOwn !== true && internal !== true);

    expect(others.length).toBeGreaterThan(0);
    expect(unmarked.map(({ id }) => id)).toEqual([]);
  });
});
