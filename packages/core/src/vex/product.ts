import { ScanError } from "../errors.ts";
import { type PackageUrl, parsePurl } from "../model/purl.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";
import { versionSchemes } from "../version-schemes.ts";
import { compareStated, findVersion, isOrdered } from "../versions/define-order.ts";
import { pep440Versions } from "../versions/pep440/version.ts";
import type { StatementContext, VexProduct } from "./statement.ts";

/** The image to which statements are applied. */
export type StatedImage = Pick<StatementContext, "digests" | "reference">;

/** Whether a product is the image, or a package of it. @param purl of the package; undefined if its kind has none */
export type IsProduct = (product: VexProduct, purl: string | undefined) => boolean;

/** A function that compares products with an image and its packages. Each text is parsed once: a document may name it for each finding. */
export function productOf(stated: StatedImage): IsProduct {
  const [parse, parsePackage] = [remembered(findPurl), rememberedLast(findPurl)];
  const isImageOf = remembered((text) => isImage(text, stated));
  const isCovered = (pattern: string, purl: string | undefined) =>
    purl !== undefined && (pattern === purl || covers(parse(pattern), parsePackage(purl)));
  const hasVersion = (versions: readonly string[] | undefined, purl: string | undefined) => {
    if (versions === undefined) return true;
    const found = purl === undefined ? undefined : parsePackage(purl);
    return found !== undefined && isStatedVersion(versions, found);
  };
  const isImageIn = (image: string | undefined, versions: readonly string[] | undefined) =>
    image === undefined || (isImageOf(image) && isTagAmong(versions, stated));
  return ({ image, component, versions }, purl) => {
    if (component !== undefined)
      return isImageIn(image, versions?.image) && isCovered(component, purl) && hasVersion(versions?.component, purl);
    if (isImageIn(image, versions?.image)) return true;
    return image !== undefined && isCovered(image, purl) && hasVersion(versions?.image, purl); // a product may be a package itself
  };
}

/** Remembers one result, since an image has more packages than are worth keeping. */
function rememberedLast<Result>(find: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly found: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, found: find(text) };
    return last.found;
  };
}

function remembered<Result>(find: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as Result;
    const made = find(text);
    known.set(text, made);
    return made;
  };
}

function isImage(product: string, { digests, reference = "" }: StatedImage): boolean {
  if (product === "") return false;
  const oci = product.startsWith("pkg:oci/") || product.startsWith("pkg:docker/") ? findPurl(product) : undefined;
  if (oci === undefined) return digests.includes(product) || product === reference || product === untagged(reference);
  const { name, version, qualifiers } = oci;
  if (version !== undefined && digests.includes(version)) return true;
  if (version?.startsWith("sha256:") === true) return false;
  const tag = qualifiers.tag ?? version;
  const repository = qualifiers.repository_url?.toLowerCase();
  const own = untagged(reference).toLowerCase();
  const isNamed = repository === undefined ? own.split("/").at(-1) === name.toLowerCase() : own === repository;
  return isNamed && (tag === undefined || reference.endsWith(`:${tag}`));
}

/** Whether the tag of an image is one of the versions that a statement names. */
function isTagAmong(versions: readonly string[] | undefined, { reference = "" }: StatedImage): boolean {
  if (versions === undefined) return true;
  const named = reference.split("@", 1)[0] ?? "";
  const version = named.slice(untagged(named).length + 1);
  return version !== "" && isStatedVersion(versions, { type: "semver", version, qualifiers: {} });
}

/** `registry.example/app:1@sha256:…` → `registry.example/app` */
function untagged(reference: string): string {
  const named = reference.split("@", 1)[0] ?? "";
  const colon = named.lastIndexOf(":");
  return colon > named.lastIndexOf("/") ? named.slice(0, colon) : named;
}

/**
 * Whether a package URL of a statement is about a package: type, namespace and name are equal, and so are the version and each
 * qualifier that the statement names.
 * @see https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md#software-identifiers
 */
function covers(wanted: PackageUrl | undefined, found: PackageUrl | undefined): boolean {
  if (wanted === undefined || found === undefined) return false;
  return (
    wanted.name === found.name &&
    wanted.type === found.type &&
    wanted.namespace === found.namespace &&
    (wanted.version === undefined || isVersion(wanted.version, found)) &&
    Object.entries(wanted.qualifiers).every(([key, value]) => found.qualifiers[key] === value)
  );
}

/** Whether the version of a statement is that of a package: by its text, or for Python as `==` of pip: `2.5.1` is also about `2.5.1+cu121`. */
function isVersion(stated: string, { type, version = "" }: PackageUrl): boolean {
  if (stated === version) return true;
  if (type !== "pypi") return false;
  const [wanted, found] = [stated, version].map((text) => findVersion(pep440Versions, text));
  return wanted !== undefined && found !== undefined && compareStated(pep440Versions, found, wanted) === 0;
}

/** The parsed package URL; undefined if the text is not one. */
export function findPurl(text: string): PackageUrl | undefined {
  if (!text.startsWith("pkg:")) return undefined;
  try {
    return parsePurl(text);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

/** The order of versions of each type of package URL, where it is not named as the type. */
const orders: Readonly<Record<string, string>> = {
  ...{ alpm: "pacman", cargo: "semver", cocoapods: "gem", cpan: "perl", deb: "dpkg", hex: "semver", npm: "semver" },
  ...{ pypi: "pep440", swift: "semver" },
};

/** A package, or an image by its tag, as far as a statement's versions are about it. */
type VersionedProduct = Pick<PackageUrl, "type" | "version" | "qualifiers">;

/**
 * Whether a version is one of those that a statement names: single versions, and ranges as `vers:npm/>=4.17.1|<5` or `<4.17.1`. The type of the
 * package decides the order. A range that cannot be read, or whose order is not known, has no version: then the statement suppresses nothing.
 * @see https://github.com/package-url/vers-spec/blob/main/VERSION-RANGE-SPEC.rst
 */
function isStatedVersion(stated: readonly string[], found: VersionedProduct): boolean {
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
  return isOrdered(order, comparator);
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
