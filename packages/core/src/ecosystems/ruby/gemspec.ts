/**
 * The specification of an installed gem, a Ruby program of which only plain assignments are read:
 *
 * ```
 * stub       = "# stub: " name " " version " " platform " " …           one of the first lines; RubyGems writes it
 * assignment = word "." ("name" | "version") "=" ["Gem::Version.new("] quote text quote [")"] [".freeze"]
 * ```
 * @see https://guides.rubygems.org/specification-reference/
 */
import { decodeHead } from "../language/head.ts";

/** RubyGems writes name and version first; what follows are lists of files. */
const headBytes = 64 * 1024;

const assignment = /^\s*\w+\.(name|version)\s*=\s*(?:(?:::)?Gem::Version\.new[ (]{0,3})?(?:"([^"]*)"|'([^']*)')/;
const stub = /^# stub: (\S+) (\S+) /;
const extension = ".gemspec";

/** Name and version of a gem. */
export interface Gemspec {
  readonly name: string;
  readonly version: string;
}

/**
 * Reads the specification of a gem. What it does not say in plain words (a version that is a constant) is taken from the stub
 * line, then from the name of the file. Undefined where none of them tells both.
 */
export function parseGemspec(bytes: Uint8Array, name: string): Gemspec | undefined {
  const assigned = new Map<string, string>();
  let stubbed: Gemspec | undefined;
  for (const line of decodeHead(bytes, headBytes).split("\n")) {
    const [, member, double, single] = assignment.exec(line) ?? [];
    const value = plainText(double ?? single);
    if (member !== undefined && value !== undefined && !assigned.has(member)) assigned.set(member, value);
    const [, stubName, stubVersion] = stub.exec(line) ?? [];
    if (stubName !== undefined && stubVersion !== undefined) stubbed ??= { name: stubName, version: stubVersion };
    if (assigned.size === 2) break;
  }
  const named = nameOfFile(name);
  const found = assigned.get("name") ?? stubbed?.name ?? named?.name;
  const version = assigned.get("version") ?? stubbed?.version ?? named?.version;
  return found === undefined || version === undefined ? undefined : { name: found, version };
}

/** A text in quotes; undefined where Ruby would put something in, or where it is empty. */
function plainText(text = ""): string | undefined {
  return text === "" || text.includes("#{") ? undefined : text;
}

/** `net-http-0.3.2.gemspec`: the version begins at the first digit behind a dash. */
function nameOfFile(file: string): Gemspec | undefined {
  const stem = file.slice(0, -extension.length);
  const dash = stem.search(/-\d/);
  return dash < 1 ? undefined : { name: stem.slice(0, dash), version: stem.slice(dash + 1) };
}
