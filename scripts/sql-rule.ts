/** Where SQL is allowed: `queries.ts`, `queries/` and `store/` of the registry, `store/` of the scanner services, and the package `store`. */
import type { ParsedSource } from "./parsed-source.ts";

const ofQueries: ReadonlySet<string> = new Set([
  ...["selectFrom", "selectNoFrom", "insertInto", "replaceInto", "updateTable", "deleteFrom", "mergeInto"],
  ...["innerJoin", "leftJoin", "rightJoin", "fullJoin", "where", "whereRef", "having", "onConflict", "returning"],
  ...["execute", "executeTakeFirst", "executeTakeFirstOrThrow", "executeQuery", "prepareRead"],
  ...["createTable", "alterTable", "dropTable", "createIndex", "dropIndex"],
]);

const ofRegistry: ReadonlySet<string> = new Set(["registry", "registry-api"]);

const ofDatabases = /^(?:kysely|node:sqlite|pg)\b/;

/** The problems of the SQL of a file, as messages. The path is that below `src/`. */
export function sqlRule(name: string, rest: readonly string[], { calledMembers, imports }: ParsedSource): string[] {
  if (mayQuery(name, rest)) return [];
  const found =
    [...calledMembers].find((member) => ofQueries.has(member)) ??
    imports.find(({ specifier, isOfTypes }) => ofDatabases.test(specifier) && !isOfTypes)?.specifier;
  if (found === undefined) return [];
  const place = ofRegistry.has(name)
    ? `queries of ${rest[0]} belong into ${rest[0]}/queries.ts`
    : "it belongs into store/";
  return [`has SQL (${found}): ${place}`];
}

function mayQuery(name: string, rest: readonly string[]): boolean {
  if (name === "store" || name === "testing") return true;
  const isOfStore = ["indexer", "matcher", "notifier", "registry"].includes(name) && rest[0] === "store";
  const isQueries = ofRegistry.has(name) && (rest.includes("queries") || rest.at(-1) === "queries.ts");
  return isOfStore || isQueries;
}
