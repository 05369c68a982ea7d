/**
 * The file in which a project states the gems that it needs, a Ruby program of which only these lines are read:
 *
 * ```
 * line  = "group " {name ","} " do" | "gem " text {"," option} | "gemspec" … | other " do" | "end"
 * group = ("group:" | "groups:" | ":group =>" | ":groups =>") (name | "[" {name ","} "]")
 * ```
 * @see https://bundler.io/man/gemfile.5.html
 */

import { nameOf } from "../../layer/paths.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding, NeedsFinding } from "../../plugins/finding.ts";
import { isOfDependency } from "../language/package-folders.ts";
import { decodeText, isPlain, ownText } from "../linux/text.ts";

/** The largest file that is read. */
const maxBytes = 256 * 1024;

/** Finds what a project needs to run, for the lock file beside it, which does not say which gems are for development. */
export const gemfileDetector: FileDetector = {
  name: "ruby-gemfile",
  revision: 4,
  ignoresArchives: true,
  names: { endings: ["Gemfile", "gems.rb"] },
  wants: ({ path, sizeBytes }: FileEntry) =>
    ["Gemfile", "gems.rb"].includes(nameOf(path)) && sizeBytes <= maxBytes && !isOfDependency(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const needed = neededGems(decodeText(bytes));
    if (needed !== undefined) yield { kind: "needs", path, packages: "ruby", ...needed };
  },
};

/** Whether the lines of a block count: `perhaps` in a group or on a platform that the project may not use. */
type Block = "always" | "development" | "perhaps";

const gem = /^\s*gem[ (]{1,3}["']([^"'#]{1,200})["'](.*)$/;
const group = /^\s*group\b(.*)\bdo\b/;
const opens = /\bdo\b(?:\s*\|[^|]*\|)?\s*$|^\s*(?:if|unless|case|def)\b/;
const always = /^\s*source\b/;
/** Files that state more gems. */
const elsewhere = /^\s*(?:gemspec|eval_gemfile|instance_eval)\b/;
/** Options by which a gem may rightly be missing, or comes from another place than a registry. */
const uncertain = /\b(?:platforms?|install_if|path|git|github|gist)(?::| ?=>)/;
const groupOption = /\bgroups?(?::| ?=>)/;
const development = /^:?["']?(?:bench|build|ci|cover|deploy|dev|doc|lint|rubocop|spec|test|tool)/i;

/** The names of the gems that are needed in any case; undefined if other files name more. */
function neededGems(text: string): Pick<NeedsFinding, "names" | "marksDevelopment" | "isAllForUse"> | undefined {
  const blocks: Block[] = [];
  const names: string[] = [];
  let [hasDevelopment, isAllForUse] = [false, true];
  for (const [line = ""] of text.split("\n").map((each) => each.split(" #", 1))) {
    if (elsewhere.test(line)) return undefined;
    const [, name, options = ""] = gem.exec(line) ?? [];
    if (name !== undefined) {
      const use = useOf(blocks, options);
      if (use === "development") hasDevelopment = true;
      if (use !== "always") isAllForUse = false;
      if (use === "always" && isPlain(name)) names.push(ownText(name));
    } else if (opens.test(line)) blocks.push(blockOf(line));
    else if (/^\s*end\b/.test(line)) blocks.pop();
  }
  return { names, marksDevelopment: hasDevelopment || undefined, isAllForUse: isAllForUse || undefined };
}

function blockOf(line: string): Block {
  const [, names] = group.exec(line) ?? [];
  if (names !== undefined) return useOfGroups(names);
  return always.test(line) ? "always" : "perhaps";
}

function useOf(blocks: readonly Block[], options: string): Block {
  if (blocks.includes("development")) return "development";
  const [, groups] = options.split(groupOption, 2);
  if (groups !== undefined) return useOfGroups(groups);
  return blocks.includes("perhaps") || uncertain.test(options) ? "perhaps" : "always";
}

/** `:development, :test` are for development; a project may leave any other group out. */
function useOfGroups(text: string): Block {
  const names = Array.from(text.matchAll(/:\w{1,100}|["']\w{1,100}["']/g), ([name]) => name);
  if (names.includes(":default")) return "always";
  return names.length > 0 && names.every((name) => development.test(name)) ? "development" : "perhaps";
}
