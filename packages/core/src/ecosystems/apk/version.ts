/**
 * The order of apk package versions.
 *
 * ```
 * version = number {"." number} [letter] {"_" suffix [number]} ["~" hex] ["-r" number]
 * suffix  = alpha | beta | pre | rc | cvs | svn | git | hg | p
 * ```
 * apk-tools 2 accepted more, and packages and advisories with such versions exist (`6.6.2p1-r0`, `0.8.21.r2`, `1-r`): a letter
 * may be followed by a number, and a number may be empty.
 *
 * ```
 * version = [number] {"." [number] | letter [number]} {"_" suffix [number]} {"-r" [number]}     not two letters in a row
 * ```
 * Versions compare token by token. If the kinds of two tokens differ, the kind decides: a suffix before the release (alpha … rc)
 * is lowest, then the end of the version; a further number is highest. So every token has a rank, and lists of tokens are compared.
 *
 * @see https://gitlab.alpinelinux.org/alpine/apk-tools/-/blob/master/doc/apk-package.5.scd
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder } from "../../versions/define-order.ts";
import { digitsEnd, isDigit, isLetter, lettersEnd } from "../../versions/digits.ts";
import { malformedVersion } from "../../versions/malformed.ts";
import { compareTokens, type VersionToken } from "../../versions/tokens.ts";

/** The tokens of a version, with the end token last. */
export type ApkVersion = readonly VersionToken[];

const suffixRanks: ReadonlyMap<string, number> = new Map([
  ["alpha", 0],
  ["beta", 1],
  ["pre", 2],
  ["rc", 3],
  ["cvs", 8],
  ["svn", 9],
  ["git", 10],
  ["hg", 11],
  ["p", 12],
]);
const endRank = 4;
const revisionRank = 5;
const hashRank = 6;
const suffixNumberRank = 7;
const letterRank = 13;
/** A number with a leading zero is below all numbers without. Two such numbers compare as text: `1.02 < 1.1`, `1.01 < 1.010`. */
const zeroNumberRank = 14;
const numberRank = 15;

const end: VersionToken = { rank: endRank, text: "", numeric: false };

/**
 * Reads a version as apk-tools 3 does or, if that refuses it, as apk-tools 2 did. Blanks around it do not count.
 * @throws ScanError `malformed_version` if both refuse it
 * @example
 * const version = parse("1.2.3_rc1-r0");
 */
export function parse(text: string): ApkVersion {
  const trimmed = text.trim();
  const tokens = readCurrent(trimmed) ?? readFormer(trimmed);
  if (tokens === undefined) throw malformedVersion("an apk version", text);
  return [...tokens, end];
}

function readCurrent(text: string): readonly VersionToken[] | undefined {
  const tokens: VersionToken[] = [];
  const numbersEnd = readNumbers(text, tokens);
  let at = readLetter(text, numbersEnd, tokens);
  at = readSuffixes(text, at, tokens);
  at = readHash(text, at, tokens);
  at = readRevision(text, at, tokens);
  return numbersEnd === 0 || at !== text.length ? undefined : tokens;
}

/** Reads the grammar of apk-tools 2. For versions that both grammars accept, the tokens have the same order. */
function readFormer(text: string): readonly VersionToken[] | undefined {
  if (!/\d/.test(text)) return undefined;
  const tokens: VersionToken[] = [];
  let at = digitsEnd(text, 0);
  tokens.push(plainNumber(text.slice(0, at)));
  at = readFormerNumbers(text, at, tokens);
  at = readSuffixes(text, at, tokens);
  while (text.startsWith("-r", at)) {
    const next = digitsEnd(text, at + 2);
    tokens.push({ rank: revisionRank, text: text.slice(at + 2, next), numeric: true });
    at = next;
  }
  return at === text.length ? tokens : undefined;
}

/** Reads `{"." [number] | letter [number]}`. */
function readFormerNumbers(text: string, from: number, tokens: VersionToken[]): number {
  let at = from;
  for (;;) {
    const letterEnd = readLetter(text, at, tokens);
    const isDot = text.charAt(at) === ".";
    if (letterEnd === at && !isDot) return at;
    const next = digitsEnd(text, isDot ? at + 1 : letterEnd);
    const digits = text.slice(isDot ? at + 1 : letterEnd, next);
    if (isDot) tokens.push(digits.startsWith("0") ? paddedNumber(digits) : plainNumber(digits));
    else if (digits !== "") tokens.push(plainNumber(digits));
    else return letterEnd;
    at = next;
  }
}

function plainNumber(text: string): VersionToken {
  return { rank: numberRank, text, numeric: true };
}

function paddedNumber(text: string): VersionToken {
  return { rank: zeroNumberRank, text, numeric: false };
}

/** Reads `number {"." number}`. This and the readers below return the offset where they stopped. */
function readNumbers(text: string, tokens: VersionToken[]): number {
  let at = digitsEnd(text, 0);
  if (at === 0) return 0;
  tokens.push(plainNumber(text.slice(0, at)));
  while (text.charAt(at) === ".") {
    const next = digitsEnd(text, at + 1);
    if (next === at + 1) return at;
    const digits = text.slice(at + 1, next);
    tokens.push(digits.startsWith("0") ? paddedNumber(digits) : plainNumber(digits));
    at = next;
  }
  return at;
}

function readLetter(text: string, at: number, tokens: VersionToken[]): number {
  const code = text.charCodeAt(at);
  if (!isLetter(code) || code < 0x61) return at;
  tokens.push({ rank: letterRank, text: text.charAt(at), numeric: false });
  return at + 1;
}

function readSuffixes(text: string, from: number, tokens: VersionToken[]): number {
  let at = from;
  while (text.charAt(at) === "_") {
    const wordEnd = lettersEnd(text, at + 1);
    const rank = suffixRanks.get(text.slice(at + 1, wordEnd));
    if (rank === undefined) return at;
    tokens.push({ rank, text: "", numeric: false });
    at = digitsEnd(text, wordEnd);
    if (at > wordEnd) tokens.push({ rank: suffixNumberRank, text: text.slice(wordEnd, at), numeric: true });
  }
  return at;
}

function readHash(text: string, at: number, tokens: VersionToken[]): number {
  if (text.charAt(at) !== "~") return at;
  const hexEnd = lowerHexEnd(text, at + 1);
  if (hexEnd === at + 1) return at;
  tokens.push({ rank: hashRank, text: text.slice(at + 1, hexEnd), numeric: false });
  return hexEnd;
}

function lowerHexEnd(text: string, from: number): number {
  let at = from;
  while (isLowerHex(text.charCodeAt(at))) at++;
  return at;
}

function isLowerHex(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66);
}

function readRevision(text: string, at: number, tokens: VersionToken[]): number {
  if (!text.startsWith("-r", at)) return at;
  const next = digitsEnd(text, at + 2);
  if (next === at + 2) return at;
  tokens.push({ rank: revisionRank, text: text.slice(at + 2, next), numeric: true });
  return next;
}

/** The order of apk package versions. */
export const apkVersions: VersionScheme<ApkVersion> = { name: "apk", parse, compare: compareTokens };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.2.3_rc1-r0", "1.2.3-r0"); // -1
 * valid("1.2.3-r0"); // true
 */
export const { compare, valid } = defineOrder(apkVersions);
