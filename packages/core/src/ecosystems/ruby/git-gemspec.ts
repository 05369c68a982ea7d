/**
 * The specification of a gem in its sources, a handwritten Ruby program. Only lines that assign a plain text and nothing else are read:
 *
 * ```
 * assignment = word "." ("name" | "version") "=" ["Gem::Version.new("] quote text quote [")"] [".freeze"] [";"] ["#" comment]
 * dependency = word ".add_" ["runtime_"] "dependency" ["("] quote text quote …
 * ```
 * @see https://guides.rubygems.org/specification-reference/
 */
import { decodeHead } from "../language/head.ts";
import type { Gemspec } from "./gemspec.ts";

const headBytes = 64 * 1024;

const member = /^\s*\w+\.(name|version)\s*[-+|&<]{0,3}=(?![=~])/;
const dependency = /^\s*\w+\.add_(?:runtime_)?dependency[ (]{1,3}["']([\w.-]{1,100})["']/;
/** Dependencies by which an application is recognized. */
const mostDependencies = 64;
const plain =
  /^(?:(?:::)?Gem::Version\.new[ (]{0,3})?(?:"([^"\\#]+)"|'([^'\\]+)')[ )]{0,3}(?:\.freeze)?[ \t;]*(?:#.*)?$/;

/**
 * Parses the specification of a gem that is not built. Undefined if it does not assign name and version as plain texts, or if it assigns one of
 * them twice: the values then depend on the run of the program.
 */
export function parseGitGemspec(bytes: Uint8Array): Gemspec | undefined {
  const { name, version } = parseSourceGemspec(bytes);
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** What the specification of a gem in its sources states: a name or version that is no plain text, or is assigned twice, is absent. */
export interface SourceGemspec extends Partial<Gemspec> {
  /** The names of the gems that it needs to run. */
  readonly dependencies: readonly string[];
}

/** Parses the specification of a gem in its sources. */
export function parseSourceGemspec(bytes: Uint8Array): SourceGemspec {
  const dependencies = new Set<string>();
  const assigned = new Map<string, string | undefined>();
  for (const line of decodeHead(bytes, headBytes).split("\n")) {
    const [, needed] = dependency.exec(line) ?? [];
    if (needed !== undefined && dependencies.size < mostDependencies) dependencies.add(needed);
    const [assignment, name] = member.exec(line) ?? [];
    if (assignment === undefined || name === undefined) continue;
    const [, double, single] = plain.exec(line.slice(assignment.length).trim()) ?? [];
    assigned.set(name, assigned.has(name) ? undefined : (double ?? single));
  }
  const [name, version] = [assigned.get("name"), assigned.get("version")];
  return {
    name,
    version,
    dependencies: [...dependencies],
  };
}
