import { type DamagedPart, malformedPackageDb } from "../bytes/malformed-package-db.ts";
import type { SqliteFile } from "./file.ts";
import { readTree, type SqliteRow } from "./tree.ts";

const schemaRootPage = 1;

/** The number of damaged parts after which reading the schema stops. */
const maxDamagedParts = 1000;

/**
 * The rows of a table by the table's name, in the order of their ids, with the damage found on the way.
 * @throws ScanError `malformed_package_db` when the schema has no such table.
 */
export function readTable(file: SqliteFile, name: string): Generator<SqliteRow | DamagedPart> {
  const others: string[] = [];
  let damage = "";
  let damagedParts = 0;
  for (const item of readTree(file, schemaRootPage)) {
    if (item.kind === "damaged") {
      damage = `; the schema is damaged at ${item.at}: ${item.message}`;
      if (++damagedParts === maxDamagedParts) break;
      continue;
    }
    const [type, table, , rootPage] = item.values;
    if (type !== "table" || typeof table !== "string" || typeof rootPage !== "number") continue;
    if (table.toLowerCase() === name.toLowerCase()) return readTree(file, rootPage);
    if (others.length < 10) others.push(table);
  }
  throw malformedPackageDb(`expected a table ${name}, found ${others.join(", ") || "no table"}${damage}`);
}
