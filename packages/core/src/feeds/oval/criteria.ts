import type { AdvisoryRange } from "../../model/advisory.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { malformedRecord, type ReadPart } from "../shared/malformed-feed.ts";
import type { XmlElement } from "../shared/xml-elements.ts";
import { type Conditions, conditionsOf, type PackageCondition } from "./conditions.ts";
import type { OvalTables } from "./tables.ts";

/** The conditions of a definition for one package. */
export type OvalRow = Conditions & { readonly package: PackageCondition };

/** The maximal number of ways to meet the criteria of one definition; the largest in the feeds has a twentieth of it. */
const maxAlternatives = 20_000;

/**
 * The rows of a criteria tree: every way to meet it that names a package. The condition of a criterion (a release, a module, an architecture)
 * applies to the criteria beside and below it, and to no others. A malformed criterion is skipped.
 * @throws ScanError `malformed_feed` where there are too many rows
 */
export function ovalRows(criteria: XmlElement, tables: OvalTables, readPart: ReadPart): readonly OvalRow[] {
  return (alternativesOf(criteria, { tables, readPart, isNegated: false }) ?? []).filter(hasPackage);
}

function hasPackage(conditions: Conditions): conditions is OvalRow {
  return conditions.package !== undefined;
}

interface Reading {
  readonly tables: OvalTables;
  readonly readPart: ReadPart;
  readonly isNegated: boolean;
}

/** The ways to meet a criterion or a group of criteria; undefined where that is not known from an image. */
function alternativesOf(element: XmlElement, outer: Reading): readonly Conditions[] | undefined {
  const isNegated = outer.isNegated !== (element.attributes.negate === "true");
  const reading = { ...outer, isNegated };
  if (element.name === "criterion") return criterionAlternatives(element, reading);
  if (element.name !== "criteria") return undefined;
  const parts = element.children.map((child) => alternativesOf(child, reading)).filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const isAnyOf = (element.attributes.operator === "OR") !== isNegated;
  return isAnyOf ? anyOf(parts) : parts.reduce(bothOf);
}

function criterionAlternatives(element: XmlElement, { tables, readPart, isNegated }: Reading) {
  const { comment = "", test_ref = "" } = element.attributes;
  const found = readPart(() => conditionsOf({ comment, test: tables.findTest(test_ref), isNegated }));
  return found === undefined || found.length === 0 ? undefined : found;
}

/** Combines alternatives; those with only products become one. */
function anyOf(parts: readonly (readonly Conditions[])[]): readonly Conditions[] {
  const all = parts.flat();
  const products = all.filter(isOnlyProducts).flatMap((each) => each.products ?? []);
  const others = all.filter((each) => !isOnlyProducts(each));
  if (others.length > maxAlternatives) throw tooMany();
  return products.length === 0 ? others : [{ products: [...new Set(products)] }, ...others];
}

function isOnlyProducts({ module, arch, package: named }: Conditions): boolean {
  return module === undefined && arch === undefined && named === undefined;
}

function bothOf(left: readonly Conditions[], right: readonly Conditions[]): readonly Conditions[] {
  if (left.length * right.length > maxAlternatives) throw tooMany();
  return left.flatMap((a) => right.flatMap((b) => joined(a, b)));
}

/** Combines two conditions. Two packages that must both be installed are two rows, since each is judged alone. */
function joined(a: Conditions, b: Conditions): readonly Conditions[] {
  const module = b.module ?? a.module;
  if (module !== (a.module ?? module)) throw malformedRecord(`the modules ${a.module} and ${b.module} at once`);
  const products = [...new Set([...(a.products ?? []), ...(b.products ?? [])])];
  const rest: Conditions = {
    products: products.length > 0 ? products : undefined,
    module,
    arch: b.arch ?? (a.arch || undefined),
  };
  return packagesOf(a.package, b.package).map((named) => (named === undefined ? rest : { ...rest, package: named }));
}

function packagesOf(a: PackageCondition | undefined, b: PackageCondition | undefined) {
  if (a === undefined || b === undefined) return [a ?? b];
  return a.name === b.name ? [{ name: a.name, range: overlap(a.range, b.range) }] : [a, b];
}

function overlap(a: AdvisoryRange | undefined, b: AdvisoryRange | undefined): AdvisoryRange | undefined {
  return a === undefined || b === undefined ? undefined : { ...a, ...withoutUndefined(b) };
}

function tooMany() {
  return malformedRecord(`criteria with more than ${maxAlternatives} alternatives`);
}
