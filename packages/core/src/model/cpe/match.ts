/**
 * Matching of CPE names.
 * @see https://nvlpubs.nist.gov/nistpubs/Legacy/IR/nistir7696.pdf sections 6 and 7
 */
import { trimEnd } from "../trim-end.ts";
import { formatCpe } from "./format.ts";
import { any, findWildcards, notApplicable, type Wfn, wfnAttributes } from "./wfn.ts";

/**
 * The relation between the sets of products of two names. `undefined`: the sets overlap, or the relation is not defined because
 * the second name has wildcards.
 */
export type CpeRelation = ReturnType<typeof compareCpe>;

/**
 * The relation of the products of `source` to those of `target`: a superset contains them all, and others.
 * @example
 * compareCpe(parseWfn("cpe:/a:zlib:zlib"), parseWfn("cpe:/a:zlib:zlib:1.2.11")); // "superset"
 */
export function compareCpe(source: Wfn, target: Wfn): "superset" | "subset" | "equal" | "disjoint" | "undefined" {
  const relations = new Set(wfnAttributes.map((attribute) => compareValues(source[attribute], target[attribute])));
  if (relations.has("disjoint")) return "disjoint";
  relations.delete("equal");
  if (relations.size === 0) return "equal";
  const [only = "undefined", ...others] = relations;
  return others.length === 0 ? only : "undefined";
}

/**
 * Whether `pattern` includes every product of `name`.
 * @example
 * cpeMatches(parseWfn("cpe:/a:zlib"), parseWfn("cpe:/a:zlib:zlib:1.2.11")); // true
 */
export function cpeMatches(pattern: Wfn, name: Wfn): boolean {
  const relation = compareCpe(pattern, name);
  return relation === "superset" || relation === "equal";
}

/**
 * Whether the formatted string of `name` begins with that of `pattern` without its trailing `:*`. Red Hat's data needs this:
 * `enterprise_linux:8` includes `enterprise_linux:8.4` and `enterprise_linux:8::appstream`, but not `enterprise_linux:80`.
 * @example
 * cpeStartsWith(parseWfn("cpe:/o:redhat:enterprise_linux:8"), parseWfn("cpe:/o:redhat:enterprise_linux:8.4")); // true
 */
export function cpeStartsWith(pattern: Wfn, name: Wfn): boolean {
  const [begin, text] = [trimEnd(formatCpe(pattern), ":*"), formatCpe(name)];
  return text.startsWith(begin) && /^(?:[:.]|$)/.test(text.slice(begin.length));
}

/** Table 6-2 of NIST IR 7696. */
function compareValues(source: string, target: string): CpeRelation {
  if (hasWildcards(target)) return "undefined";
  if (source === target) return "equal";
  if (source === any) return "superset";
  if (target === any) return "subset";
  if (source === notApplicable || target === notApplicable) return "disjoint";
  return textMatches(source, target) ? "superset" : "disjoint";
}

function hasWildcards(value: string): boolean {
  const found = findWildcards(value);
  return found !== undefined && found.before + found.after > 0;
}

/** A `?` matches one character or none. */
function textMatches(pattern: string, text: string): boolean {
  const [outer, inner] = [findWildcards(pattern), findWildcards(text)];
  if (!outer || !inner) return false;
  const spare = inner.characters.length - outer.characters.length;
  for (let at = Math.max(0, spare - outer.after); at <= Math.min(spare, outer.before); at++) {
    if (outer.characters.every((character, index) => character === inner.characters[at + index])) return true;
  }
  return false;
}
