/**
 * The form of a package's name that advisories are looked up under. PyPI takes `Zope.Interface` and `zope-interface` for the
 * same project; other ecosystems tell names apart as they are written.
 */
export function lookupName(ecosystem: string, name: string): string {
  return ecosystem === "PyPI" ? normalizePypiName(name) : name;
}

/** A PyPI name as PEP 503 has it. @see https://packaging.python.org/en/latest/specifications/name-normalization/ */
export function normalizePypiName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}
