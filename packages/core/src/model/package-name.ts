/**
 * The form of a package's name that advisories are looked up under. PyPI takes `Zope.Interface` and `zope-interface` for the
 * same project, Packagist, NuGet and Git's hosts do not tell cases apart; other ecosystems tell names apart as they are written.
 * @example
 * lookupName("PyPI", "Zope.Interface"); // "zope-interface"
 */
export function lookupName(ecosystem: string, name: string): string {
  if (ecosystem === "PyPI") return normalizePypiName(name);
  return caseless.has(ecosystem) ? name.toLowerCase() : name;
}

/** Whose names are the same in any case. */
const caseless: ReadonlySet<string> = new Set(["NuGet", "Packagist", "SwiftURL"]);

/** A PyPI name as PEP 503 has it. @see https://packaging.python.org/en/latest/specifications/name-normalization/ */
export function normalizePypiName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}
