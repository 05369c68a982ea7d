/**
 * The order of Debian package versions.
 *
 * ```
 * version  = [epoch ":"] upstream ["-" revision]
 * epoch    = digits                     up to the first colon; absent is 0
 * revision = chars except "-" and ":"   after the last hyphen; absent is equal to 0
 * upstream = chars                      the rest
 * ```
 * Policy wants `upstream` to begin with a digit. dpkg itself only warns, so it is not demanded here.
 *
 * @see https://www.debian.org/doc/debian-policy/ch-controlfields.html#version
 */
import type { VersionScheme } from "../../plugins.ts";
import { defineOrder, type Order, orderOf } from "../../versions/define-order.ts";
import { compareDigits, digitsEnd, isDigit, isDigits, isLetter } from "../../versions/digits.ts";
import { malformedVersion } from "../../versions/malformed.ts";

/** A version taken apart. */
export interface DpkgVersion {
  readonly epoch: number;
  readonly upstream: string;
  /** Empty where the version has none. */
  readonly revision: string;
}

const maxEpoch = 2 ** 31 - 1;
const tilde = 0x7e;

/**
 * Reads a version as dpkg does; blanks around it do not count.
 * @throws ScanError `malformed_version`
 */
export function parse(text: string): DpkgVersion {
  const trimmed = text.trim();
  const { colon, hyphen } = findMarks(trimmed);
  const epoch = colon === -1 ? 0 : parseEpoch(trimmed.slice(0, colon));
  const upstream = trimmed.slice(colon + 1, hyphen);
  const revision = trimmed.slice(hyphen + 1);

  const badRevision = hyphen < trimmed.length && (revision === "" || revision.includes(":"));
  if (epoch === undefined) throw malformedVersion("a number before the colon of a dpkg version", text);
  if (upstream === "" || badRevision) throw malformedVersion("[epoch:]upstream[-revision] of dpkg", text);
  return { epoch, upstream, revision };
}

/** Where the first colon (-1: none) and the last hyphen (the end: none) stand. Other marks than `+.~` are refused. */
function findMarks(text: string): { readonly colon: number; readonly hyphen: number } {
  let colon = -1;
  let hyphen = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code) || isLetter(code) || code === 0x2e || code === 0x2b || code === tilde) continue;
    if (code === 0x2d) hyphen = i;
    else if (code !== 0x3a) throw malformedVersion("letters, digits and +-.:~ in a dpkg version", text);
    else if (colon === -1) colon = i;
  }
  return { colon, hyphen };
}

function parseEpoch(digits: string): number | undefined {
  const epoch = Number(digits);
  return isDigits(digits) && epoch <= maxEpoch ? epoch : undefined;
}

function compareVersions(a: DpkgVersion, b: DpkgVersion): Order {
  if (a.epoch !== b.epoch) return orderOf(a.epoch, b.epoch);
  return compareParts(a.upstream, b.upstream) || compareParts(a.revision, b.revision);
}

/** Words and numbers in turn: a word, possibly empty, comes first. */
function compareParts(a: string, b: string): Order {
  if (a === b) return 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const wordA = i;
    const wordB = j;
    i = wordEnd(a, i);
    j = wordEnd(b, j);
    const words = compareWords(a.slice(wordA, i), b.slice(wordB, j));
    if (words !== 0) return words;

    const numberA = i;
    const numberB = j;
    i = digitsEnd(a, i);
    j = digitsEnd(b, j);
    const numbers = compareDigits(a.slice(numberA, i), b.slice(numberB, j));
    if (numbers !== 0) return numbers;
  }
  return 0;
}

function wordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && !isDigit(text.charCodeAt(end))) end++;
  return end;
}

function compareWords(a: string, b: string): Order {
  if (a === b) return 0;
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const rankA = rank(a.charCodeAt(i));
    const rankB = rank(b.charCodeAt(i));
    if (rankA !== rankB) return orderOf(rankA, rankB);
  }
  return 0;
}

/** Tilde, then the end of the word (`NaN`), then letters, then everything else. */
function rank(code: number): number {
  if (Number.isNaN(code)) return 0;
  if (code === tilde) return -1;
  return isLetter(code) ? code : code + 0x100;
}

/** The order of Debian package versions. */
export const dpkgVersions: VersionScheme<DpkgVersion> = { name: "dpkg", parse, compare: compareVersions };

/** The order of versions as they are written. `compare` throws ScanError `malformed_version`. */
export const { compare, valid } = defineOrder(dpkgVersions);
