import type { AdvisoryImport } from "../../model/advisory.ts";
import { isObject } from "../../model/json-object.ts";
import { type JsonPlace, memberAt } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";

/**
 * The import paths and symbols of an entry of `affected`, in the form of the Go vulnerability database. None where there are none, or where
 * the member has another form: each database defines its own.
 *
 *     "ecosystem_specific": { "imports": [{ "path": text, "symbols"?: [text] }] }
 *
 * @see https://go.dev/doc/security/vuln/database#schema
 */
export function importsOf(affected: JsonPlace): readonly AdvisoryImport[] {
  const specific = memberAt(affected, "ecosystem_specific").value;
  const imports = isObject(specific) ? specific.imports : undefined;
  return Array.isArray(imports) ? imports.flatMap(importOf) : [];
}

function importOf(value: Json): readonly AdvisoryImport[] {
  if (!isObject(value) || typeof value.path !== "string") return [];
  const symbols = Array.isArray(value.symbols) ? value.symbols.filter((symbol) => typeof symbol === "string") : [];
  return [{ path: value.path, symbols }];
}
