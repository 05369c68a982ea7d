import type { PackageUrl } from "../model/purl.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";
import { versionSchemes } from "../version-schemes.ts";
import { compareStated, findVersion } from "../versions/define-order.ts";

/** The order of versions of each type of package URL, where it is not named as the type. */
const orders: Readonly<Record<string, string>> = {
  ...{ alpm: "pacman", cargo: "semver", cocoapods: "gem", cpan: "perl", deb: "dpkg", hex: "semver", npm: "semver" },
  ...{ pypi: "pep440", swift: "semver" },
};

/** A package, or an image by its tag, as far as a statement's versions are about it. */
export type VersionedProduct = Pick<PackageUrl, "type" | "version" | "qualifiers">;

/**
 * Whether a version is one of those that a statement names: single versions, and ranges as `vers:npm/>=4.17.1|<5` or `<4.17.1`. The type of the
 * package decides the order. A range that cannot be read, or whose order is not known, has no version: then the statement suppresses nothing.
 * @see https://github.com/package-url/vers-spec/blob/main/VERSION-RANGE-SPEC.rst
 */
export function isStatedVersion(stated: readonly string[], found: VersionedProduct): boolean {
  return stated.some((text) => isInRange(constraintsIn(text), found));
}

/** One part of a range: `>=4.17.1`. */
interface Constraint {
  readonly comparator: string;
  readonly version: string;
}

/** The parts of a range that are read. One with more has no version. */
const maxConstraints = 100;

const range = /^vers:[a-z0-9.-]+\/(.*)$/is;

function constraintsIn(text: string): readonly Constraint[] {
  if (/^vers:none\//i.test(text)) return [];
  if (!range.test(text) && !/^\s*[<>!=]/.test(text)) return [{ comparator: "=", version: text }];
  const parts = (range.exec(text)?.[1] ?? text).split("|");
  if (parts.length > maxConstraints) return [];
  return parts.map((part) => {
    const text = part.trim();
    const [comparator = ""] = /^(?:[<>]=?|!=|=)/.exec(text) ?? [];
    const version = decoded(text.slice(comparator.length).trim());
    return { comparator: comparator === "" ? "=" : comparator, version };
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isInRange(constraints: readonly Constraint[], found: VersionedProduct): boolean {
  const { type, version = "", qualifiers } = found;
  if (constraints.some((each) => each.comparator === "=" && [version, "*"].includes(each.version))) return true;
  const scheme = versionSchemes[orders[type] ?? type];
  const own = scheme && boundOf(scheme, type === "rpm" ? `${qualifiers.epoch ?? 0}:${version}` : version);
  if (scheme === undefined || own === undefined) return false;
  const bounds = constraints.map(({ comparator, version }) => ({ comparator, bound: boundOf(scheme, version) }));
  if (bounds.some(({ bound }) => bound === undefined)) return false;
  const ordered = bounds.toSorted((a, b) => scheme.compare(a.bound, b.bound));
  return isAmong(
    ordered.map(({ comparator, bound }) => ({ comparator, holds: holds(comparator, { own, bound, scheme }) })),
  );
}

/** A parsed version. Documents leave out the last numbers of semantic versions: `>=4`. */
function boundOf(scheme: VersionScheme, text: string): unknown {
  const [numbers = ""] = scheme === versionSchemes.semver ? (/^v?\d+(?:\.\d+)?(?![\w.])/.exec(text) ?? []) : [];
  const missing = numbers === "" ? "" : ".0".repeat(numbers.includes(".") ? 1 : 2);
  return findVersion(scheme, `${numbers}${missing}${text.slice(numbers.length)}`);
}

function holds(
  comparator: string,
  { own, bound, scheme }: { readonly own: unknown; readonly bound: unknown; readonly scheme: VersionScheme },
): boolean {
  const order = compareStated(scheme, own, bound);
  if (comparator === "!=") return order !== 0;
  return (
    (order === 0 && comparator.includes("=")) ||
    (order < 0 && comparator.startsWith("<")) ||
    (order > 0 && comparator.startsWith(">"))
  );
}

/** Whether a version is in a range. @param constraints in the order of their versions, with whether each holds for it */
function isAmong(constraints: readonly { readonly comparator: string; readonly holds: boolean }[]): boolean {
  if (constraints.some((each) => each.comparator === "!=" && !each.holds)) return false;
  if (constraints.some((each) => each.comparator === "=" && each.holds)) return true;
  const bounds = constraints.filter(({ comparator }) => /[<>]/.test(comparator));
  if (bounds.length === 0) return constraints.some(({ comparator }) => comparator === "!=");
  let isAboveLower = true; // before the first bound
  for (const { comparator, holds } of bounds) {
    if (comparator.startsWith("<") && isAboveLower && holds) return true;
    isAboveLower = comparator.startsWith(">") && holds;
  }
  return isAboveLower;
}
