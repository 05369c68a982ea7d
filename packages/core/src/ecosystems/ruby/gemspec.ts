/**
 * The specification of an installed gem. It is a Ruby program, of which only plain assignments are read:
 *
 * ```
 * stub       = "# stub: " name " " version " " platform " " …           one of the first lines, written by RubyGems
 * assignment = word "." ("name" | "version") "=" ["Gem::Version.new("] quote text quote [")"] [".freeze"]
 * ```
 * @see https://guides.rubygems.org/specification-reference/
 */
import type { PackageDetails } from "../../model/package-details.ts";
import { decodeHead } from "../language/head.ts";
import { ownText } from "../linux/text.ts";

/** The bytes that are read. RubyGems writes name and version first, before lists of files. */
const headBytes = 64 * 1024;

const assignment = /^\s*\w+\.(name|version)\s*=\s*(?:(?:::)?Gem::Version\.new[ (]{0,3})?(?:"([^"]*)"|'([^']*)')/;
const stub = /^# stub: (\S+) (\S+) /;
const extension = ".gemspec";

/** Name and version of a gem. */
export interface Gemspec {
  readonly name: string;
  readonly version: string;
}

/** The lines of the head of a specification. */
export function gemspecLines(bytes: Uint8Array): readonly string[] {
  return decodeHead(bytes, headBytes).split("\n");
}

/**
 * Parses the specification of a gem. A value that is not a plain text (a version that is a constant) is read from the stub line, or else from
 * the name of the file. Undefined if name or version is in none of them.
 */
export function parseGemspec(lines: readonly string[], name: string): Gemspec | undefined {
  const assigned = new Map<string, string>();
  let stubValues: Gemspec | undefined;
  for (const line of lines) {
    const [, member, double, single] = assignment.exec(line) ?? [];
    const value = plainText(double ?? single);
    if (member !== undefined && value !== undefined && !assigned.has(member)) assigned.set(member, value);
    const [, stubName, stubVersion] = stub.exec(line) ?? [];
    if (stubName !== undefined && stubVersion !== undefined) stubValues ??= { name: stubName, version: stubVersion };
    if (assigned.size === 2) break;
  }
  const named = parseFileName(name);
  const found = assigned.get("name") ?? stubValues?.name ?? named?.name;
  const version = assigned.get("version") ?? stubValues?.version ?? named?.version;
  return found === undefined || version === undefined ? undefined : { name: found, version };
}

/** The text between quotes; undefined if it is empty, or if Ruby would interpolate a value. */
function plainText(text = ""): string | undefined {
  return text === "" || text.includes("#{") ? undefined : text;
}

/** Name and version of `net-http-0.3.2.gemspec`: the version begins at the first digit after a dash. */
function parseFileName(file: string): Gemspec | undefined {
  const stem = file.slice(0, -extension.length);
  const dash = stem.search(/-\d/);
  return dash < 1 ? undefined : { name: stem.slice(0, dash), version: stem.slice(dash + 1) };
}

const text = /^\s*\w+\.(homepage|summary|license)\s*=\s*(?:"([^"]*)"|'([^']*)'|%q[<({[]([^>)}\]]*)[>)}\]])/;
const list =
  /^\s*\w+\.(authors?|licenses)\s*=\s*(?:\[([^\]]*)\]|("[^"]*"|'[^']*')|%[wW][[({<|!]([^\])}>|!]*)[\])}>|!])/;
const item = /"([^"]*)"|'([^']*)'|%q[<({[]([\w.-]*)/g;
/**
 * As RubyGems writes it, now and before, and as people do: `s.add_runtime_dependency(%q<rack>.freeze, ["~> 2.0".freeze])`, `s.add_dependency 'rack', '~> 2.0'`.
 * Dependencies for development are left out.
 */
const dependency = /^\s*\w+\.add_(?:runtime_)?dependency[ (](.*)$/;
/** A dependency in any form, also in a form that is not read. */
const dependencyCall = /^[^#]*\.add_(?:runtime_)?dependency\b/;
/** `%w[rack rake].each { |name| s.add_dependency name }` */
const dependencyList = /^\s*%w[[({<]([\w .-]{1,10000})[\])}>]\.each\b/;
const requirement = /^(?:!=|~>|[<>]=?|=)? {0,4}\d[\w.-]*$/;
const sourceCode = /["']source_code_uri["'](?:\.freeze)?\s*(?:=>|:)\s*["']([^"']*)["']/;

/** What a specification says about the gem. Whether all of several licences apply, or the user may choose, is not stated. */
export function gemspecDetails(lines: readonly string[]): PackageDetails {
  const texts = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const requires = new Map<string, string>();
  let source: string | undefined;
  let isWhole = true;
  for (const line of wholeParts(withoutOldForms(lines))) {
    const [, member = "", ...values] = text.exec(line) ?? [];
    if (member !== "") texts.set(member, ownText(plainText(values.find((each) => each !== undefined)) ?? ""));
    const [, name = "", items, only = "", words] = list.exec(line) ?? [];
    if (name !== "") lists.set(name, words === undefined ? quotedIn(items ?? only) : words.split(/\s+/).map(ownText));
    const [, needed = ""] = dependency.exec(line) ?? [];
    const [gem = "", ...versions] = quotedIn(needed);
    if (gem !== "") requires.set(gem, needOf(gem, versions));
    else if (dependencyCall.test(line)) {
      const [, names] = dependencyList.exec(line) ?? [];
      for (const each of names?.split(" ") ?? []) requires.set(each, ownText(each));
      isWhole &&= names !== undefined;
    }
    source ??= sourceCode.exec(line)?.[1];
  }
  const licenses = lists.get("licenses") ?? [texts.get("license") ?? ""];
  return {
    licenses: licenses.map((each) => ({ text: each })),
    authors: lists.get("authors") ?? lists.get("author"),
    homepage: texts.get("homepage"),
    description: texts.get("summary"),
    sourceAddress: source,
    requires: isWhole ? [...requires.values()] : undefined,
    recommends: isWhole ? undefined : [...requires.values()], // there may be more
  };
}

/** The most lines that a call or a list may have. */
const maxPartLines = 32;
/** A call that goes on in the next lines. */
const openCall = /^[^#]*\.add_(?:runtime_)?dependency\s{0,9}\(\s*$/;
/** A list that does. */
const openList = /^\s*\w+\.(?:authors?|licenses)\s*=\s*(?:%[wW])?\[[^\]]*$/;

/** The lines, and calls and lists over several lines as one. */
function* wholeParts(lines: Iterable<string>): Iterable<string> {
  let open: string[] = [];
  let end = "";
  for (const line of lines) {
    if (open.length === 0) end = openCall.test(line) ? ")" : openList.test(line) ? "]" : "";
    if (end === "") yield line;
    else {
      open.push(line.trim());
      if (!line.includes(end) && open.length < maxPartLines) continue;
      yield open.join(" ");
      open = [];
    }
  }
}

/**
 * The lines without what is only for old versions of RubyGems, for which dependencies for development are like others:
 *
 *     if s.respond_to? :specification_version then … else … end
 */
function* withoutOldForms(lines: readonly string[]): Iterable<string> {
  let open = 0;
  let skipped = 0;
  for (const line of lines) {
    const word = /^\s*(if|unless|else|end)\b/.exec(line)?.[1];
    if (skipped > 0) {
      if (word === "if" || word === "unless") skipped++;
      if (word === "end" && --skipped === 0) open--;
    } else if (word === "else" && open > 0) skipped = 1;
    else {
      if (word === "if" && /respond_to\?|Gem::Version/.test(line)) open++;
      if (word === "end" && open > 0) open--;
      yield line;
    }
  }
}

function quotedIn(line: string): readonly string[] {
  return Array.from(line.slice(0, 4096).matchAll(item), ([, ...values]) =>
    ownText(values.find((each) => each !== undefined) ?? ""),
  );
}

/** `rack (>= 2, < 4)`; any version is the gem's name alone. */
function needOf(gem: string, versions: readonly string[]): string {
  const bounds = versions.map((each) => each.trim()).filter((each) => requirement.test(each) && each !== ">= 0");
  return bounds.length === 0 ? gem : `${gem} (${bounds.join(", ")})`;
}
