/**
 * The pattern (`namePatternKey`) for a Go module whose name may have capitals in truth: the specification of package URLs writes namespace and name of this type
 * in lower case. None for packages of other types, and for a name with capitals.
 * @see https://github.com/package-url/purl-spec/blob/main/types-doc/golang-definition.md
 */
export function nameWithoutCase(type: string, name: string): readonly string[] {
  return type === "golang" && name.includes("/") && name === name.toLowerCase() ? [name] : [];
}
