import { compareOptional, type Order, orderOf } from "../../versions/define-order.ts";
import { compareDigits, digitsEnd, isDigit, isLetter, lettersEnd } from "../../versions/digits.ts";

interface VersionRelease {
  readonly version: string;
  readonly release?: string;
}

/**
 * Orders by version and release, without the epoch. For source packages, whose file name has no epoch.
 */
export function compareVersionRelease(a: VersionRelease, b: VersionRelease): Order {
  return compareParts(a.version, b.version) || compareOptional(a.release, b.release, compareParts);
}

/** The installed version, without its release if the stated one has none. */
export function asStated<V extends VersionRelease>(installed: V, stated: VersionRelease): V {
  return stated.release === undefined ? { ...installed, release: undefined } : installed;
}

/** The kinds of tokens in a version or release, lowest first. */
const tilde = 0;
const end = 1;
const caret = 2;
const letters = 3;
const digits = 4;
const separator = 5;

/** Compares token by token: first by kind, then by text. */
function compareParts(a: string, b: string): Order {
  if (a === b) return 0;
  for (let i = 0, j = 0; ; ) {
    i = skipSeparators(a, i);
    j = skipSeparators(b, j);
    const kind = kindOf(a.charCodeAt(i));
    const kindB = kindOf(b.charCodeAt(j));
    if (kind !== kindB) return orderOf(kind, kindB);
    if (kind === end) return 0;

    const endA = tokenEnd(a, i, kind);
    const endB = tokenEnd(b, j, kind);
    const textA = a.slice(i, endA);
    const textB = b.slice(j, endB);
    const order = kind === digits ? compareDigits(textA, textB) : orderOf(textA, textB);
    if (order !== 0) return order;
    i = endA;
    j = endB;
  }
}

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (kindOf(text.charCodeAt(at)) === separator) at++;
  return at;
}

function kindOf(code: number): number {
  if (isDigit(code)) return digits;
  if (isLetter(code)) return letters;
  if (Number.isNaN(code)) return end;
  if (code === 0x7e) return tilde;
  return code === 0x5e ? caret : separator;
}

function tokenEnd(text: string, from: number, kind: number): number {
  if (kind === digits) return digitsEnd(text, from);
  return kind === letters ? lettersEnd(text, from) : from + 1;
}
