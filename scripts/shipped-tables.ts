/**
 * Copies tables of the shared folder into the clone, so that the tests can run without that folder.
 *
 *     node scripts/shipped-tables.ts [SHARED]     writes them; without a path, from `../shared` beside the clone
 *
 * Version vectors become `["a","b",cmp]`, constraints `[ecosystem,version,constraint,match]`, and of the contract's operations the
 * members that tests compare are kept. A row is a line. `tests/shipped-tables.corpus.test.ts` fails when a copy differs.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** A table in the clone. */
export interface ShippedTable {
  /** Its path, from the root of the clone. */
  readonly path: string;
  readonly text: string;
}

/**
 * The tables to copy from a shared folder.
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

/** Without the parameters, which the specification describes in words; `contract-parameters.golden.txt` has them in a form for tests. */
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
