import type { AdvisoryImport } from "../../model/advisory.ts";
import { isObject } from "../../model/json-object.ts";
import { type JsonPlace, memberAt } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";

/**
 * The import paths and symbols that an entry of `affected` names, as the Go vulnerability database does; none where it names none or says
 * it in another form: every database fills the member as it likes.
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
