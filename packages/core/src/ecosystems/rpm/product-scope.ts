import { type Scope, sameScope } from "../../match/distribution-rules.ts";
import { compareText, maxVersion } from "../../match/range.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import { cpeMatches, cpeStartsWith } from "../../model/cpe/match.ts";
import { parseWfn } from "../../model/cpe/parse.ts";
import type { Wfn } from "../../model/cpe/wfn.ts";
import { dnfRepositoryKey, type PackageRepository } from "../../model/package.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { contentSetCpes, defaultContentSets } from "./content-set-cpes.ts";
import { rpmVersions } from "./version.ts";

/** The ecosystem in the keys of advisories about Red Hat products that do not belong to one major release. */
export const redhatProductsKey = "rhel";

/** Whether an advisory about Red Hat products is about a package. */
export type ProductScope = (record: IndexRecord, advisory: AdvisoryRule) => Scope;

/** The products of packages with the same repositories. */
interface Products {
  readonly cpes: readonly string[];
  readonly names: readonly Wfn[];
  /** Whether an advisory's CPE name is about them; a cache. */
  readonly known: Map<string, boolean>;
}

/** The size of each cache. An image has a few sets of products, the feed a few thousand names. */
const maxCached = 10_000;

/**
 * Compares the CPE names of an advisory with those of a package's repositories. These are the repository from which dnf installed it, or else all
 * repositories in the image's content manifests, or else the default repositories of the release. A name of an advisory is about the products
 * whose names it matches (NIST IR 7696), and about those whose names begin with it.
 */
export function productScopes(): ProductScope {
  const byRecord = new WeakMap<IndexRecord, Products>();
  const byCpes = new Map<string, Products>();
  const productsOf = (record: IndexRecord): Products => {
    const remembered = byRecord.get(record);
    if (remembered !== undefined) return remembered;
    const cpes = productCpes(record);
    const key = cpes.join(" ");
    const products = byCpes.get(key) ?? { cpes, names: cpes.flatMap(findWfn), known: new Map<string, boolean>() };
    if (byCpes.size >= maxCached) byCpes.clear();
    byCpes.set(key, products);
    byRecord.set(record, products);
    return products;
  };
  return (record, { cpes }) => {
    if (cpes === undefined) return sameScope;
    const products = productsOf(record);
    if (cpes.some((cpe) => isAbout(cpe, products))) return sameScope;
    const detail = `the advisory is about ${cpes.join(", ")}, the package is of ${products.cpes.join(", ")}`;
    return { kind: "other", reason: "other-product", detail };
  };
}

function isAbout(cpe: string, { names, known }: Products): boolean {
  const remembered = known.get(cpe);
  if (remembered !== undefined) return remembered;
  const [pattern] = findWfn(cpe);
  const speaks =
    pattern !== undefined && names.some((name) => cpeMatches(pattern, name) || cpeStartsWith(pattern, name));
  if (known.size >= maxCached) known.clear();
  known.set(cpe, speaks);
  return speaks;
}

/** The CPE names of a package's products. The release itself is one of them, because unfixed vulnerabilities are stated for it, not for its parts. */
function productCpes({ distribution, repositories }: IndexRecord): readonly string[] {
  const major = Number.parseInt(distribution?.versionId ?? "", 10);
  const own = cpesOf(repositories.filter(({ key }) => key === dnfRepositoryKey));
  const named = own.length > 0 ? own : cpesOf(repositories);
  const found = named.length > 0 ? named : defaultContentSets(major).flatMap(contentSetCpes);
  const release = found.some(isOfRelease) ? [`cpe:/o:redhat:enterprise_linux:${major}`] : [];
  return [...new Set([...found, ...release])];
}

/** The CPE names of repositories: from a feed or a report, or else from the repository's name. */
function cpesOf(repositories: readonly PackageRepository[]): readonly string[] {
  return repositories.flatMap(({ name = "", cpe }) => (cpe === undefined ? contentSetCpes(name) : [cpe]));
}

function isOfRelease(cpe: string): boolean {
  return /:redhat:(?:enterprise_linux|rhel_(?:aus|e4s|eus|tus)):/.test(cpe);
}

/** The parsed name; empty for a malformed one. */
function findWfn(cpe: string): readonly Wfn[] {
  try {
    return [parseWfn(cpe)];
  } catch {
    return [];
  }
}

/** The mark of builds for one minor release: `.el8_6` or `.module+el8.6`. */
const minorTag = /\.el\d+_\d+|\.module\+el\d+\.\d+/;

/**
 * Whether a package has the fix for its own minor release. If a vulnerability is fixed in `1.2-3.el8_6.1` and, for the next minor release, in
 * `1.2-9.el8`, then `1.2-3.el8_6.2` has the fix although it is below the second version. Of several fixes for its minor release it must have the
 * highest, since an incomplete fix is followed by another.
 */
export function minorStreamScope(version: string, { ranges }: AdvisoryRule): Scope {
  if (ranges.length < 2) return sameScope;
  const tag = minorTag.exec(version)?.[0];
  if (tag === undefined) return sameScope;
  const fixes = ranges.flatMap(({ fixed }) => (fixed !== undefined && hasTag(fixed, tag) ? [fixed] : []));
  const fix = maxVersion(rpmVersions, fixes);
  if (fix === undefined || compareText(rpmVersions, version, fix) < 0) return sameScope;
  return { kind: "other", reason: "fixed", detail: `${version} is not below ${fix}, the fix for its minor release` };
}

function hasTag(version: string, tag: string): boolean {
  return minorTag.exec(version)?.[0] === tag;
}
