/**
 * The order of rpm package versions (EVR).
 *
 * ```
 * version = [epoch ":"] version ["-" release]
 * epoch   = digits          directly before a colon; absent is 0
 * release = text            after the last hyphen
 * ```
 * All characters other than ASCII letters, digits, `~` and `^` are separators. A missing release is lower than any release.
 *
 * @see https://rpm-software-management.github.io/rpm/man/rpm-version.7
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { compareOptional, defineOrder, type Order, orderOf } from "../../versions/define-order.ts";
import { compareDigits, digitsEnd, isDigit, isLetter, lettersEnd } from "../../versions/digits.ts";
import { malformedVersion } from "../../versions/malformed.ts";

/** The parts of an EVR. */
export interface RpmVersion {
  readonly epoch: number;
  readonly version: string;
  readonly release?: string;
}

const maxEpoch = 2 ** 32 - 1;

/**
 * Reads an EVR as rpm does; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { epoch, version, release } = parse("1:3.0.7-25.el9_3");
 */
export function parse(text: string): RpmVersion {
  const trimmed = text.trim();
  const colon = digitsEnd(trimmed, 0);
  const hasEpoch = trimmed.charAt(colon) === ":";
  const versionStart = hasEpoch ? colon + 1 : 0;
  const hyphen = trimmed.lastIndexOf("-");
  const epoch = hasEpoch ? Number(trimmed.slice(0, colon)) : 0;
  const version = trimmed.slice(versionStart, hyphen >= versionStart ? hyphen : undefined);

  if (epoch > maxEpoch) throw malformedVersion("an rpm epoch of at most 32 bits", text);
  if (version === "" || hasBlank(trimmed)) throw malformedVersion("[epoch:]version[-release] of an rpm", text);
  return hyphen >= versionStart ? { epoch, version, release: trimmed.slice(hyphen + 1) } : { epoch, version };
}

function hasBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= 0x20) return true;
  return false;
}

/**
 * Orders by version and release, without the epoch. For source packages, whose file name has no epoch.
 * @example
 * compareVersionRelease(parse("1:3.0.7-25.el9"), parse("3.0.7-25.el9")); // 0
 */
export function compareVersionRelease(a: RpmVersion, b: RpmVersion): Order {
  return compareParts(a.version, b.version) || compareOptional(a.release, b.release, compareParts);
}

function compareVersions(a: RpmVersion, b: RpmVersion): Order {
  return orderOf(a.epoch, b.epoch) || compareVersionRelease(a, b);
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

/** The order of rpm package versions. */
export const rpmVersions: VersionScheme<RpmVersion> = { name: "rpm", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("3.0.7-25.el9_3", "1:3.0.7-24.el9"); // -1
 * valid("3.0.7-25.el9_3"); // true
 */
export const { compare, valid } = defineOrder(rpmVersions);
