/**
 * The specification of a gem in its sources, a handwritten Ruby program. Only statements that assign a plain text and nothing else are read:
 *
 * ```
 * assignment = word "." ("name" | "version") "=" ["Gem::Version.new("] text [")"] [".freeze"] ["}"] ["#" comment]
 * call       = "Gem::Specification.new" ["("] text ["," text]          name and version
 * dependency = word "." ["add_" ["runtime_"]] "dependency" ["("] text … | "%w[" {word} "]" … "add_dependency" …
 * text       = quote … quote | "%q" bracket … bracket
 * ```
 * Statements end with a line or a semicolon.
 * @see https://guides.rubygems.org/specification-reference/
 */
import { decodeHead } from "../language/head.ts";
import type { Gemspec } from "./gemspec.ts";

const headBytes = 64 * 1024;

const member = /^\s*\w+\.(name|version)\s*[-+|&<]{0,3}=(?![=~])/;
const positional = /\bGem::Specification\.new[ (]{1,3}["']([^"'\\#]+)["'](?:[ \t]*,[ \t]*["']([^"'\\#]+)["'])?/;
const dependency = /^\s*\w+\.(?:add_(?:runtime_)?)?dependency[ (]{0,3}(?:["']|%q[<({[])([\w.-]{1,100})["'>)}\]]/;
const dependencyList = /^\s*%w[[({<]([\w .-]{1,10000})[\])}>]\.each\b/;
/** The end of a statement, and the beginning of a block: `{ |s| s.name = "a"; s.version = "1" }`. */
const statementEnd = /\n|;|\{ ?\|\w{1,50}\|/;
/** Dependencies by which an application is recognized. */
const mostDependencies = 64;
const plain =
  /^(?:(?:::)?Gem::Version\.new[ (]{0,3})?(?:"([^"\\#]+)"|'([^'\\]+)'|%q[{([<]([^\\#}\])>]+)[}\])>])[ )]{0,3}(?:\.freeze)?[ \t}]*(?:#.*)?$/;

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
  const assign = (name: string, value: string | undefined) =>
    assigned.set(name, assigned.has(name) ? undefined : value);
  const text = decodeHead(bytes, headBytes);
  for (const needed of text.split("\n").flatMap(neededIn)) {
    if (dependencies.size < mostDependencies) dependencies.add(needed);
  }
  for (const line of text.split(statementEnd)) {
    const [, first, second] = positional.exec(line) ?? [];
    if (first !== undefined) assign("name", first);
    if (second !== undefined) assign("version", second);
    const [assignment, name] = member.exec(line) ?? [];
    if (assignment === undefined || name === undefined) continue;
    const [, double, single, percent] = plain.exec(line.slice(assignment.length).trim()) ?? [];
    assign(name, double ?? single ?? percent);
  }
  const [name, version] = [assigned.get("name"), assigned.get("version")];
  return {
    name,
    version,
    dependencies: [...dependencies],
  };
}

function neededIn(line: string): readonly string[] {
  const [, one] = dependency.exec(line) ?? [];
  const [, list = ""] = /\.add_(?:runtime_)?dependency\b/.test(line) ? (dependencyList.exec(line) ?? []) : [];
  return one === undefined ? list.split(" ").filter((word) => word !== "") : [one];
}
