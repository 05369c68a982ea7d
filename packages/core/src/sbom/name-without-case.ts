import type { StatedPackage } from "../index/list-report.ts";
import { namePatternKey } from "../model/package.ts";

/**
 * The pattern for a Go module whose name may have capitals in truth: the specification of package URLs writes namespace and name of this type in lower case.
 * None for packages of other types, and for a name with capitals.
 * @see https://github.com/package-url/purl-spec/blob/main/types-doc/golang-definition.md
 */
export function nameWithoutCase(type: string, name: string): StatedPackage["repositories"] {
  const isPlain = type === "golang" && name.includes("/") && name === name.toLowerCase();
  return isPlain ? [{ name, key: namePatternKey }] : [];
}
