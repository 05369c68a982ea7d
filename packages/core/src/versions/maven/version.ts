/**
 * The order of Maven versions, as Maven 4 has it.
 *
 * ```
 * version = piece {["." | "-"] piece}        a change from digits to letters separates as well
 * piece   = number | word | word ["-"] number | nothing (read as 0)
 * ```
 * A version is a list of pieces. `-`, and a change from digits to letters, opens an inner list with all pieces that follow. A word
 * with a number, and a word at the end, open an inner list too. Zeros at a list's end or before a word are dropped. A number is
 * above every list and every word. So `1-alpha < 1-rc1 < 1 = 1-final < 1-sp < 1-foo < 1-1 < 1.1`.
 *
 * Up to 4.0.0-rc-6 Maven put every list above every word, which is not an order: 1.0 = 1.0.Final > 1.0.Final-x > 1.0. This
 * code follows the later correction: a list and a word compare by the list's first item.
 *
 * @see https://maven.apache.org/pom.html#version-order-specification
 * @see https://github.com/apache/maven/blob/master/compat/maven-artifact/src/main/java/org/apache/maven/artifact/versioning/ComparableVersion.java
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order, orderOf } from "../define-order.ts";
import { compareDigits, digitsEnd, isDigit, stripZeros } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";
import { compareQualifiers, numberedQualifierOf, qualifierOf, releaseQualifier } from "./qualifier.ts";

/** The outermost list of a version: numbers, words, and lists of all pieces that follow. */
export type MavenVersion = readonly /** A number of any size; without digits it is 0. */
(
  | { readonly kind: "number"; readonly digits: string }
  /** A word, with its rank; a word that Maven does not know has the highest rank, and its text. `digits`: the number that follows directly or after a hyphen. */
  | {
      readonly kind: "word";
      readonly qualifier: { readonly rank: number; readonly unknown: string };
      readonly digits?: string;
    }
  /** All pieces after a hyphen, or after a change from digits to letters. */
  | { readonly kind: "list"; readonly items: MavenVersion }
)[];

type MavenItem = MavenVersion[number];
type MavenWord = Extract<MavenItem, { readonly kind: "word" }>;

/** Also limits how deep lists are nested. */
const maxLength = 1000;

/** Characters that Maven does not allow in a version: of unresolved properties, ranges, file names. */
const illegal = /[\s\\/:"<>|?*[\](){},]/;

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`, also for texts above 1000 characters
 * @example
 * const version = parse("1.0-alpha-1");
 */
export function parse(text: string): MavenVersion {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === "" || trimmed.length > maxLength || illegal.test(trimmed))
    throw malformedVersion("a Maven version", text);
  return nest(readLists(trimmed));
}

/** The lists from the outermost to the innermost. Each belongs at the end of the one before. */
function readLists(text: string): MavenItem[][] {
  let list: MavenItem[] = [];
  const lists = [list];
  const open = () => {
    list = [];
    lists.push(list);
  };

  for (let at = 0; at < text.length; ) {
    const { item, end } = readPiece(text, at);
    const ownList = item.kind === "word" && (item.digits !== undefined || end === text.length);
    if (ownList && list.length > 0) open();
    list.push(item);
    const separator = text.charAt(end);
    if (separator !== "." && end < text.length) open();
    at = separator === "." || separator === "-" ? end + 1 : end;
  }
  return lists;
}

function readPiece(text: string, from: number): { readonly item: MavenItem; readonly end: number } {
  const afterWord = wordEnd(text, from);
  const hyphenated = text.charAt(afterWord) === "-" && isDigit(text.charCodeAt(afterWord + 1));
  const digitsStart = afterWord > from && hyphenated ? afterWord + 1 : afterWord;
  const end = digitsEnd(text, digitsStart);
  const digits = text.slice(digitsStart, end);
  const word = text.slice(from, afterWord);
  if (word === "") return { item: { kind: "number", digits }, end };
  if (digits === "") return { item: { kind: "word", qualifier: qualifierOf(word) }, end };
  return { item: { kind: "word", qualifier: numberedQualifierOf(word), digits }, end };
}

function wordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && !isDigit(text.charCodeAt(end)) && !".-".includes(text.charAt(end))) end++;
  return end;
}

/** Puts each list into the one before it, innermost first. */
function nest(lists: readonly MavenItem[][]): MavenVersion {
  return lists.reduceRight<MavenVersion>(
    (inner, list) => withoutZeros(inner.length > 0 ? [...list, { kind: "list", items: inner }] : list),
    [],
  );
}

/** The items without the zeros at the end and before a word. If only a list remains, the result is that list. */
function withoutZeros(items: readonly MavenItem[]): MavenVersion {
  const kept: MavenItem[] = [];
  for (const item of items.toReversed()) {
    const next = kept.at(-1);
    const isZero = item.kind === "number" && stripZeros(item.digits) === "";
    if (!isZero || (next !== undefined && !beginsWithWord(next))) kept.push(item);
  }
  const only = kept.length === 1 ? kept[0] : undefined;
  return only?.kind === "list" ? only.items : kept.toReversed();
}

function beginsWithWord(item: MavenItem): boolean {
  return item.kind === "list" ? item.items[0]?.kind === "word" : item.kind === "word";
}

function compareLists(a: MavenVersion, b: MavenVersion): Order {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareItems(a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Orders the items at one position of two lists; undefined past the end of the shorter list. */
function compareItems(a: MavenItem | undefined, b: MavenItem | undefined): Order {
  if (a === undefined || b === undefined) return orderOf(signOf(a), signOf(b));
  if (a.kind === "number" && b.kind === "number") return compareDigits(a.digits, b.digits);
  if (a.kind === "number" || b.kind === "number") return a.kind === "number" ? 1 : -1;
  if (a.kind === "word" && b.kind === "word") return compareWords(a, b);
  return compareLists(a.kind === "list" ? a.items : [a], b.kind === "list" ? b.items : [b]);
}

/** The order of an item against a missing one. */
function signOf(item: MavenItem | undefined): Order {
  if (item === undefined) return 0;
  if (item.kind === "number") return compareDigits(item.digits, "0");
  if (item.kind === "list") return item.items.map(signOf).find((sign) => sign !== 0) ?? 0;
  return compareQualifiers(item.qualifier, releaseQualifier) || compareDigits(item.digits ?? "0", "0");
}

/** A word alone is below the same word with a number. The exception is the release, where a missing number is 0. */
function compareWords(a: MavenWord, b: MavenWord): Order {
  const order = compareQualifiers(a.qualifier, b.qualifier);
  if (order !== 0) return order;
  const isRelease = compareQualifiers(a.qualifier, releaseQualifier) === 0;
  if (!isRelease && (a.digits === undefined || b.digits === undefined)) {
    return orderOf(a.digits === undefined ? 0 : 1, b.digits === undefined ? 0 : 1);
  }
  return compareDigits(a.digits ?? "0", b.digits ?? "0");
}

/** The order of Maven versions. */
export const mavenVersions: VersionScheme<MavenVersion> = { name: "maven", parse, compare: compareLists };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.0-alpha-1", "1.0"); // -1
 * valid("1.0.Final"); // true
 */
export const { compare, valid } = defineOrder(mavenVersions);
