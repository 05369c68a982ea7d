/**
 * The order of the versions of Perl modules.
 *
 * ```
 * version = decimal | dotted
 * decimal = digits ["." digits]                 digits after the point form groups of three: 1.2 is 1.200, 1.002003 is 1.2.3
 * dotted  = "v" digits {"." digits} | digits "." digits "." digits {"." digits}
 * ```
 * Underscores between digits are ignored, and so are zeros at the end: v1.2 is v1.2.0.
 *
 * @see https://perldoc.perl.org/version
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder } from "../define-order.ts";
import { compareNumbers } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";

/** The numbers of a version, of any size, most significant first. */
export type PerlVersion = readonly string[];

const decimal = /^(\d+)(?:\.(\d*))?$/;
const dotted = /^(?:v\d+(?:\.\d+)*|\d+(?:\.\d+){2,})$/;

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * parse("1.002003"); // ["1", "002", "003"]
 */
export function parse(text: string): PerlVersion {
  const trimmed = text.trim().replace(/(?<=\d)_(?=\d)/g, "");
  const [, whole, fraction = ""] = decimal.exec(trimmed) ?? [];
  if (whole !== undefined) return [whole, ...byThrees(fraction)];
  if (!dotted.test(trimmed)) throw malformedVersion("a version of a Perl module", text);
  return trimmed.replace("v", "").split(".");
}

function byThrees(fraction: string): readonly string[] {
  return (fraction.match(/\d{1,3}/g) ?? []).map((digits) => digits.padEnd(3, "0"));
}

/** The order of the versions of Perl modules. */
export const perlVersions: VersionScheme<PerlVersion> = { name: "perl", parse, compare: compareNumbers };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.10", "1.9"); // -1
 * compare("v1.10", "v1.9"); // 1
 */
export const { compare, valid } = defineOrder(perlVersions);
