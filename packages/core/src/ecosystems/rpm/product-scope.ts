import { type Scope, sameScope } from "../../match/distribution-rules.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import { cpeMatches, cpeStartsWith } from "../../model/cpe/match.ts";
import { parseWfn } from "../../model/cpe/parse.ts";
import type { Wfn } from "../../model/cpe/wfn.ts";
import { dnfRepositoryKey, type PackageRepository } from "../../model/package.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { contentSetCpes, defaultContentSets } from "./content-set-cpes.ts";

/** Whether an advisory about some products of Red Hat is about a package. */
export type ProductScope = (record: IndexRecord, advisory: AdvisoryRule) => Scope;

/** The products that packages of the same repositories are of, and which names were found to be about them. */
interface Products {
  readonly cpes: readonly string[];
  readonly names: readonly Wfn[];
  readonly known: Map<string, boolean>;
}

/** Sets of products, and names that were compared with one, that are remembered; an image has a few sets, the feed a few thousand names. */
const maxRemembered = 10_000;

/**
 * Compares the CPE names of an advisory with those of the repositories that a package comes from: the one that dnf installed it from, else
 * all that the image's content manifests name, else those that every image of the release has. A name of an advisory speaks of the
 * products whose names it matches (NIST IR 7696), and of those whose names begin with it.
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
    if (byCpes.size >= maxRemembered) byCpes.clear();
    byCpes.set(key, products);
    byRecord.set(record, products);
    return products;
  };
  return (record, { cpes }) => {
    if (cpes === undefined) return sameScope;
    const products = productsOf(record);
    if (cpes.some((cpe) => speaksOf(cpe, products))) return sameScope;
    const detail = `the advisory is about ${cpes.join(", ")}, the package is of ${products.cpes.join(", ")}`;
    return { kind: "other", reason: "other-product", detail };
  };
}

function speaksOf(cpe: string, { names, known }: Products): boolean {
  const remembered = known.get(cpe);
  if (remembered !== undefined) return remembered;
  const [pattern] = findWfn(cpe);
  const speaks =
    pattern !== undefined && names.some((name) => cpeMatches(pattern, name) || cpeStartsWith(pattern, name));
  if (known.size >= maxRemembered) known.clear();
  known.set(cpe, speaks);
  return speaks;
}

/** The release itself is one of the products: what is not fixed is stated of it, and not of its parts and streams. */
function productCpes({ distribution, repositories }: IndexRecord): readonly string[] {
  const major = Number.parseInt(distribution?.versionId ?? "", 10);
  const own = cpesOf(repositories.filter(({ key }) => key === dnfRepositoryKey));
  const named = own.length > 0 ? own : cpesOf(repositories);
  const found = named.length > 0 ? named : defaultContentSets(major).flatMap(contentSetCpes);
  const release = found.some(isOfRelease) ? [`cpe:/o:redhat:enterprise_linux:${major}`] : [];
  return [...new Set([...found, ...release])];
}

/** What a feed or a report says of a repository; else what its name says. */
function cpesOf(repositories: readonly PackageRepository[]): readonly string[] {
  return repositories.flatMap(({ name = "", cpe }) => (cpe === undefined ? contentSetCpes(name) : [cpe]));
}

function isOfRelease(cpe: string): boolean {
  return /:redhat:(?:enterprise_linux|rhel_(?:aus|e4s|eus|tus)):/.test(cpe);
}

/** None for a name that cannot be read. */
function findWfn(cpe: string): readonly Wfn[] {
  try {
    return [parseWfn(cpe)];
  } catch {
    return [];
  }
}
