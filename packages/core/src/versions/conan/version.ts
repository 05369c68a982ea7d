/**
 * The order of versions of Conan packages.
 *
 * ```
 * version = items ["-" prerelease] ["+" build]       the prerelease begins at the first "-", the build at the last "+"
 * items   = item {"." item}                          prerelease and build are items too
 * item    = [digits] [other characters]
 * ```
 * Items that are digits are numbers, and 0 at the end does not count. A version without a prerelease is above those with one, and a version without a
 * build is below those with one.
 *
 * Conan compares two items as texts unless both are numbers, which is no order (`10 < 2a < 9 < 10`). Here the number that an item begins with counts
 * first, then the text after it. This is the same for numbers of equal length: `1.1.1` is below `1.1.1k`, which is below `1.1.1w`.
 *
 * @see https://docs.conan.io/2/reference/conanfile/methods/requirements.html
 * @see https://github.com/conan-io/conan/blob/develop2/conan/internal/model/version.py
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { compareOptional, defineOrder, type Order, orderOf } from "../define-order.ts";
import { compareDigits, digitsEnd } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";

/** The parts of a version, without zeros at the end. */
export interface ConanVersion {
  readonly items: readonly {
    /** The digits at its beginning; empty if it begins with another character. */
    readonly digits: string;
    readonly rest: string;
  }[];
  readonly prerelease?: ConanVersion["items"];
  readonly build?: ConanVersion["items"];
}

type ConanItem = ConanVersion["items"][number];

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { items, prerelease } = parse("3.0.0-alpha.1");
 */
export function parse(text: string): ConanVersion {
  const trimmed = text.trim();
  if (!/^[\w.+-]+$/.test(trimmed)) throw malformedVersion("a version of a Conan package", text);
  const plus = trimmed.lastIndexOf("+");
  const main = plus < 0 ? trimmed : trimmed.slice(0, plus);
  const hyphen = main.indexOf("-");
  return {
    items: itemsOf(hyphen < 0 ? main : main.slice(0, hyphen)),
    prerelease: hyphen >= 0 ? itemsOf(main.slice(hyphen + 1)) : undefined,
    build: plus >= 0 ? itemsOf(trimmed.slice(plus + 1)) : undefined,
  };
}

function itemsOf(text: string): readonly ConanItem[] {
  const items = text.split(".").map(itemOf);
  const last = items.findLastIndex(({ digits, rest }) => rest !== "" || !/^0+$/.test(digits));
  return items.slice(0, last + 1);
}

function itemOf(text: string): ConanItem {
  const end = digitsEnd(text, 0);
  return { digits: text.slice(0, end), rest: text.slice(end) };
}

function compareVersions(a: ConanVersion, b: ConanVersion): Order {
  return (
    compareItems(a.items, b.items) ||
    comparePrereleases(a.prerelease, b.prerelease) ||
    compareOptional(a.build, b.build, compareItems)
  );
}

function comparePrereleases(a: ConanVersion["prerelease"], b: ConanVersion["prerelease"]): Order {
  if (a === undefined || b === undefined) return orderOf(a === undefined ? 1 : 0, b === undefined ? 1 : 0);
  return compareItems(a, b);
}

function compareItems(a: readonly ConanItem[], b: readonly ConanItem[]): Order {
  for (const [at, item] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compareItem(item, other);
    if (order !== 0) return order;
  }
  return orderOf(a.length, b.length);
}

/** Nothing is below numbers, which are below words. */
function compareItem(a: ConanItem, b: ConanItem): Order {
  return orderOf(rankOf(a), rankOf(b)) || compareDigits(a.digits, b.digits) || orderOf(a.rest, b.rest);
}

function rankOf({ digits, rest }: ConanItem): number {
  if (digits !== "") return 1;
  return rest === "" ? 0 : 2;
}

/** The order of versions of Conan packages. */
export const conanVersions: VersionScheme<ConanVersion> = { name: "conan", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.1.1w", "1.1.1k"); // 1
 * valid("[>=1.2]"); // false
 */
export const { compare, valid } = defineOrder(conanVersions);
