import { readHeaderFields } from "../language/header-fields.ts";

const names: ReadonlySet<string> = new Set(["name", "version"]);

/** Name and version as written; absent if the head does not have them. */
export interface PythonMetadata {
  readonly name?: string;
  readonly version?: string;
}

/**
 * Parses the head of `METADATA` or `PKG-INFO`.
 * @see https://packaging.python.org/en/latest/specifications/core-metadata/
 */
export function parseMetadata(bytes: Uint8Array): PythonMetadata {
  const fields = readHeaderFields(bytes, names);
  const [name, version] = [fields.get("name"), fields.get("version")];
  return { name, version };
}
