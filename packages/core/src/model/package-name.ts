/**
 * The form of a package's name for look-ups of advisories. For PyPI, `Zope.Interface` and `zope-interface` are the same project. Names of
 * Packagist, NuGet and Git hosts ignore case. In other ecosystems names are compared as they are.
 * @example
 * lookupName("PyPI", "Zope.Interface"); // "zope-interface"
 */
export function lookupName(ecosystem: string, name: string): string {
  if (ecosystem === "PyPI") return normalizePypiName(name);
  return caseless.has(ecosystem) ? name.toLowerCase() : name;
}

/** The ecosystems of languages whose names have several spellings, by the name of the repository of their packages. */
const spelled: ReadonlyMap<string, string> = new Map([
  ["nuget", "NuGet"],
  ["packagist", "Packagist"],
  ["pypi", "PyPI"],
  ["swift", "SwiftURL"],
]);

/** One spelling for all names of the same package of a language: `PyYAML` and `pyyaml` are one. @param repository the name of the language's repository */
export function commonName(repository: string | undefined, name: string): string {
  return lookupName(spelled.get(repository ?? "") ?? "", name);
}

/** Ecosystems whose names ignore case. */
const caseless: ReadonlySet<string> = new Set(["NuGet", "Packagist", "SwiftURL"]);

/** A PyPI name, normalized as in PEP 503. @see https://packaging.python.org/en/latest/specifications/name-normalization/ */
export function normalizePypiName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/**
 * Whether a text stands where a build or a tool did not know a group or a version: `unspecified` of Gradle, `null`, `${project.groupId}`.
 * @example
 * isPlaceholder("unspecified"); // true
 */
export function isPlaceholder(text: string): boolean {
  return text.includes("${") || /^(?:n\/a|none|null|undefined|unknown|unspecified|@[^@]*@)$/i.test(text);
}

/** The name of the records of rpm that are not packages but keys of signatures. */
export const keyPackage = "gpg-pubkey";
