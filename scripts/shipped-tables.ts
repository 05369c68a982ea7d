/**
 * The tables of the shared folder that the tests bring along, so that a clone alone has them too.
 *
 *     node scripts/shipped-tables.ts [SHARED]     writes them again; without a path, from `../shared` beside the clone
 *
 * Version vectors become `["a","b",cmp]`, constraints `[ecosystem,version,constraint,match]`, and the contract's operations keep
 * what tests compare. A row is a line. `tests/shipped-tables.corpus.test.ts` fails where a copy is another.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** A table as it is shipped. */
export interface ShippedTable {
  /** The file in the clone, from its root. */
  readonly path: string;
  readonly text: string;
}

/**
 * What is to be shipped of a shared folder.
 * @throws Error where the folder has no vectors or no operations
 */
export function readTables(shared: string): readonly ShippedTable[] {
  const names = readdirSync(`${shared}/vectors`).filter((name) => name.endsWith(".jsonl"));
  const { registry, scanner } = JSON.parse(readFileSync(`${shared}/contract/operations.json`, "utf8"));
  return [
    ...names.sort().map((name) => ({
      path: `packages/core/src/versions/fixtures/vectors/${basename(name)}`,
      text: toLines(readRows(`${shared}/vectors/${name}`).map((row) => Object.values(row))),
    })),
    {
      path: "packages/registry-api/src/golden/fixtures/contract-operations.jsonl",
      text: toLines(registry.map(comparedOf)),
    },
    { path: "tests/support/scanner-operations.jsonl", text: toLines(scanner) },
  ];
}

function readRows(path: string): readonly object[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Without the parameters, which the specification has in words; `contract-parameters.golden.txt` has them as tests need them. */
function comparedOf({ id, method, path, scope, success }: Readonly<Record<string, unknown>>): unknown {
  return { id, method, path, scope, success };
}

function toLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

if (import.meta.main) {
  const [shared = resolve(root, "../shared")] = process.argv.slice(2);
  for (const { path, text } of readTables(shared)) writeFileSync(resolve(root, path), text);
}
