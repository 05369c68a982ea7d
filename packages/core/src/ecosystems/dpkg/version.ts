/**
 * The order of Debian package versions.
 *
 * ```
 * version  = [epoch ":"] upstream ["-" revision]
 * epoch    = digits                     up to the first colon; absent is 0
 * revision = chars except "-" and ":"   after the last hyphen; absent is equal to 0
 * upstream = chars                      the rest
 * ```
 * The policy requires `upstream` to begin with a digit. dpkg itself only warns, so this reader accepts other characters.
 *
 * @see https://www.debian.org/doc/debian-policy/ch-controlfields.html#version
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order, orderOf } from "../../versions/define-order.ts";
import { digitsEnd, isDigit, isDigits, isLetter } from "../../versions/digits.ts";
import { malformedVersion } from "../../versions/malformed.ts";

/** The parts of a version. */
export interface DpkgVersion {
  readonly epoch: number;
  readonly upstream: string;
  /** Empty if the version has none. */
  readonly revision: string;
}

const maxEpoch = 2 ** 31 - 1;
const tilde = 0x7e;
const allowed = /^[A-Za-z0-9.+~:-]*$/;

/**
 * Reads a version as dpkg does; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { epoch, upstream, revision } = parse("1:1.2.13.dfsg-1");
 */
export function parse(text: string): DpkgVersion {
  const trimmed = text.trim();
  if (!allowed.test(trimmed)) throw malformedVersion("letters, digits and +-.:~ in a dpkg version", text);
  const colon = trimmed.indexOf(":");
  const lastHyphen = trimmed.lastIndexOf("-");
  const hyphen = lastHyphen === -1 ? trimmed.length : lastHyphen;
  const epoch = colon === -1 ? 0 : parseEpoch(trimmed.slice(0, colon));
  const upstream = trimmed.slice(colon + 1, hyphen);
  const revision = trimmed.slice(hyphen + 1);

  const badRevision = hyphen < trimmed.length && (revision === "" || revision.includes(":"));
  if (epoch === undefined) throw malformedVersion("a number before the colon of a dpkg version", text);
  if (upstream === "" || badRevision) throw malformedVersion("[epoch:]upstream[-revision] of dpkg", text);
  return { epoch, upstream, revision };
}

function parseEpoch(digits: string): number | undefined {
  const epoch = Number(digits);
  return isDigits(digits) && epoch <= maxEpoch ? epoch : undefined;
}

function compareVersions(a: DpkgVersion, b: DpkgVersion): Order {
  if (a.epoch !== b.epoch) return orderOf(a.epoch, b.epoch);
  return compareParts(a.upstream, b.upstream) || compareParts(a.revision, b.revision);
}

/**
 * Compares words and numbers alternately; a word, possibly empty, comes first. Works without slicing the texts, because it runs for every
 * rule of an image.
 */
function compareParts(a: string, b: string): Order {
  if (a === b) return 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    let rankA = rankAt(a, i);
    let rankB = rankAt(b, j);
    while (rankA === rankB && rankA !== 0) {
      rankA = rankAt(a, ++i);
      rankB = rankAt(b, ++j);
    }
    if (rankA !== rankB) return orderOf(rankA, rankB);

    i = zerosEnd(a, i);
    j = zerosEnd(b, j);
    const endA = digitsEnd(a, i);
    const endB = digitsEnd(b, j);
    if (endA - i !== endB - j) return orderOf(endA - i, endB - j);
    for (; i < endA; i++, j++) {
      if (a.charCodeAt(i) !== b.charCodeAt(j)) return orderOf(a.charCodeAt(i), b.charCodeAt(j));
    }
  }
  return 0;
}

function zerosEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) === 0x30) end++;
  return end;
}

/** The rank of a character in a word: tilde, then the end of the word (a digit or the end of the text), then letters, then all others. */
function rankAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const code = text.charCodeAt(at);
  if (isDigit(code)) return 0;
  if (code === tilde) return -1;
  return isLetter(code) ? code : code + 0x100;
}

/** Begins the end of a version that was built for an older release: `~bpo12+1`. */
const backportMark = "~bpo";

/**
 * A backport has the fixes of the version that was backported: `1.2-1~bpo12+1` is not below the fix `1.2-1`, although the order puts it there so
 * that an upgrade replaces it.
 * @see https://wiki.debian.org/Backports
 */
function compareStated(installed: DpkgVersion, stated: DpkgVersion): Order {
  if (!isBackport(installed) || isBackport(stated)) return compareVersions(installed, stated);
  const { epoch, upstream, revision } = installed;
  return compareVersions({ epoch, upstream: withoutMark(upstream), revision: withoutMark(revision) }, stated);
}

function isBackport({ upstream, revision }: DpkgVersion): boolean {
  return revision.includes(backportMark) || upstream.includes(backportMark);
}

function withoutMark(part: string): string {
  const at = part.indexOf(backportMark);
  return at === -1 ? part : part.slice(0, at);
}

/** The order of Debian package versions. */
export const dpkgVersions: VersionScheme<DpkgVersion> = {
  name: "dpkg",
  parse,
  compare: compareVersions,
  compareStated,
};

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1:1.2~rc1-1", "1:1.2-1"); // -1
 * valid("1:1.2-1"); // true
 */
export const { compare, valid } = defineOrder(dpkgVersions);
