/**
 * The order of pacman's package versions, as `vercmp` has it.
 *
 * ```
 * version = [epoch ":"] text ["-" release]
 * epoch   = digits          absent is 0
 * release = text            after the last hyphen; a missing one is lower than any
 * text    = run {[separators] run}
 * ```
 * Versions compare run by run. First the separators before the runs are compared by their length, then digits as a number and letters as text.
 * Letters directly after a run are older than the end, all else is newer: `1.0rc < 1.0 < 1.0.a < 1.0.1`. `~` and `^` have no special meaning,
 * other than in rpm. In `vercmp`, a missing release equals any release, which is not an order; here it is lower. All packages have a release.
 *
 * @see https://man.archlinux.org/man/vercmp.8
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { compareOptional, defineOrder, type Order, orderOf } from "../../versions/define-order.ts";
import { compareDigits, digitsEnd, isDigit, isLetter, lettersEnd } from "../../versions/digits.ts";
import { malformedVersion } from "../../versions/malformed.ts";

/** The parts of a version. */
export interface PacmanVersion {
  readonly epoch: string;
  readonly version: string;
  readonly release?: string;
}

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { epoch, version, release } = parse("1:1.3.1-2");
 */
export function parse(text: string): PacmanVersion {
  const trimmed = text.trim();
  const colon = digitsEnd(trimmed, 0);
  const hasEpoch = trimmed.charAt(colon) === ":";
  const start = hasEpoch ? colon + 1 : 0;
  const hyphen = trimmed.lastIndexOf("-");
  const epoch = hasEpoch ? trimmed.slice(0, colon) || "0" : "0";
  const version = trimmed.slice(start, hyphen >= start ? hyphen : undefined);
  const release = hyphen >= start ? trimmed.slice(hyphen + 1) : undefined;
  if (!isText(version) || (release !== undefined && !isText(release))) {
    throw malformedVersion("[epoch:]version[-release] of pacman", text);
  }
  return release === undefined ? { epoch, version } : { epoch, version, release };
}

/** Whether a text begins and ends with a run, and has no blanks. */
function isText(text: string): boolean {
  return isRun(text.charCodeAt(0)) && isRun(text.charCodeAt(text.length - 1)) && !/\s/.test(text);
}

function isRun(code: number): boolean {
  return isDigit(code) || isLetter(code);
}

function compareVersions(a: PacmanVersion, b: PacmanVersion): Order {
  return (
    compareDigits(a.epoch, b.epoch) ||
    compareParts(a.version, b.version) ||
    compareOptional(a.release, b.release, compareParts)
  );
}

function compareParts(a: string, b: string): Order {
  if (a === b) return 0;
  for (let i = 0, j = 0; ; ) {
    if (i === a.length || j === b.length) return compareRests(a.charAt(i), b.charAt(j));
    const [startA, startB] = [runStart(a, i), runStart(b, j)];
    if (startA - i !== startB - j) return orderOf(startA - i, startB - j);
    const isNumber = isDigit(a.charCodeAt(startA));
    if (isNumber !== isDigit(b.charCodeAt(startB))) return isNumber ? 1 : -1;
    const runEnd = isNumber ? digitsEnd : lettersEnd;
    i = runEnd(a, startA);
    j = runEnd(b, startB);
    const [textA, textB] = [a.slice(startA, i), b.slice(startB, j)];
    const order = isNumber ? compareDigits(textA, textB) : orderOf(textA, textB);
    if (order !== 0) return order;
  }
}

function runStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isRun(text.charCodeAt(at))) at++;
  return at;
}

/** Orders two versions by the first remaining character of each; empty for a version that has ended, and at least one has. */
function compareRests(a: string, b: string): Order {
  return orderOf(restRank(a), restRank(b));
}

function restRank(first: string): number {
  if (first === "") return 1;
  return isLetter(first.charCodeAt(0)) ? 0 : 2;
}

/** The order of pacman's package versions. */
export const pacmanVersions: VersionScheme<PacmanVersion> = { name: "pacman", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.0rc1-1", "1.0-1"); // -1
 * valid("1:1.3.1-2"); // true
 */
export const { compare, valid } = defineOrder(pacmanVersions);
