/**
 * The order of versions that are lists of numbers: those of CRAN, of Hackage and of Erlang/OTP.
 *
 * ```
 * version = number {("." | "-") number}
 * ```
 * The first number that differs decides. A version that is a prefix of another is lower: 1.0 is below 1.0.0.
 *
 * @see https://cran.r-project.org/doc/manuals/r-release/R-exts.html#The-DESCRIPTION-file
 * @see https://pvp.haskell.org/
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order, orderOf } from "../define-order.ts";
import { compareDigits } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";

/** The numbers of a version, of any size, most significant first. */
export type NumericVersion = readonly string[];

const numbers = /^\d+(?:[.-]\d+)*$/;

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * parse("1.2-3").length; // 3
 */
export function parse(text: string): NumericVersion {
  const trimmed = text.trim();
  if (!numbers.test(trimmed)) throw malformedVersion("numbers between dots or dashes", text);
  return trimmed.split(/[.-]/);
}

function compareVersions(a: NumericVersion, b: NumericVersion): Order {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = compareDigits(a[at] ?? "", b[at] ?? "");
    if (order !== 0) return order;
  }
  return orderOf(a.length, b.length);
}

/** The order of versions that are lists of numbers. */
export const numericVersions: VersionScheme<NumericVersion> = { name: "numeric", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.2-10", "1.2.9"); // 1
 * valid("1.2rc1"); // false
 */
export const { compare, valid } = defineOrder(numericVersions);
