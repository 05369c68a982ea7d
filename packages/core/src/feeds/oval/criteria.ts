import { type AdvisoryRange, type ArchCondition, archOperations } from "../../model/advisory.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { malformedRecord, type ReadPart } from "../shared/malformed-feed.ts";
import type { XmlElement } from "../shared/xml-elements.ts";
import type { OvalDemand, OvalTables, OvalTest } from "./tables.ts";

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

/** A package in a range of versions. */
interface PackageCondition {
  readonly name: string;
  /** Undefined where no version meets the condition: the package is not affected. */
  readonly range: AdvisoryRange | undefined;
}

/** Conditions that must all hold. */
interface Conditions {
  /** Names of releases and products in the document, one of which must be installed. */
  readonly products?: readonly string[];
  /** `name:stream` */
  readonly module?: string;
  readonly arch?: ArchCondition;
  readonly package?: PackageCondition;
}

/** The text of a criterion and the test that it refers to. */
interface OvalCriterion {
  readonly comment: string;
  readonly test: OvalTest | undefined;
  readonly isNegated: boolean;
}

const packageTests: ReadonlySet<string> = new Set(["dpkginfo_test", "rpminfo_test"]);

/**
 * The conditions of a criterion, one entry for each package that it names. None for facts that are not known from an image: the
 * signature of a package, the running kernel.
 * @throws ScanError `malformed_feed` where the test is not in the document or has an unknown operation
 */
function conditionsOf({ comment, test, isNegated }: OvalCriterion): readonly Conditions[] {
  const module = /^Module (\S+) is enabled$/.exec(comment)?.[1];
  if (module !== undefined) return isNegated ? [] : [{ module }];
  const product = /^(.*\S) (?:is|must be) installed$/s.exec(comment)?.[1];
  if (test === undefined) throw malformedRecord(`the document has no test for ${JSON.stringify(comment)}`);
  const negated = isNegated !== test.isNegated;
  if (!packageTests.has(test.kind)) return product === undefined || negated ? [] : [{ products: [product] }];
  const demands = new Map(test.demands.map((demand) => [demand.property, demand]));
  const arch = archOf(demands.get("arch"));
  const version = demands.get("evr") ?? demands.get("version");
  if (isReleasePackage(test, version)) return negated ? [] : [releaseConditions(product ?? comment, version, arch)];
  if (version === undefined && (negated || (arch === undefined && test.demands.length > 0))) return [];
  const range = rangeOf(version, { negated });
  return test.names.map((name) => ({ arch, package: { name, range } }));
}

/** Whether the test is about the package that identifies the release: `sles-release`, `photon-release`. */
function isReleasePackage({ names }: OvalTest, version: OvalDemand | undefined): boolean {
  return version?.property !== "evr" && names.length > 0 && names.every((name) => /-release$/i.test(name));
}

function releaseConditions(product: string, version: OvalDemand | undefined, arch?: ArchCondition): Conditions {
  return { arch, products: version !== undefined || arch === undefined ? [product] : undefined };
}

function archOf(demand: OvalDemand | undefined): ArchCondition | undefined {
  if (demand === undefined) return undefined;
  const operation = archOperations.find((known) => known === demand.operation);
  if (operation === undefined)
    throw malformedRecord(`an architecture with the operation ${JSON.stringify(demand.operation)}`);
  return { operation, value: demand.value };
}

/** `0-0` is below the versions of all packages. */
const noVersion = /^0(?:-0)?$/;

/** The operations of negated criteria. */
const opposites: ReadonlyMap<string, string> = new Map([
  ["less than", "greater than or equal"],
  ["greater than or equal", "less than"],
  ["less than or equal", "greater than"],
  ["greater than", "less than or equal"],
  ["equals", "not equal"],
  ["not equal", "equals"],
]);

function rangeOf(
  demand: OvalDemand | undefined,
  { negated }: { readonly negated: boolean },
): AdvisoryRange | undefined {
  if (demand === undefined) return {};
  const operation = negated ? (opposites.get(demand.operation) ?? demand.operation) : demand.operation;
  const version = demand.value.replace(/^0:/, "").trim();
  if (/[\s,]/.test(version)) throw malformedRecord(`several versions in the place of one: ${JSON.stringify(version)}`);
  const isBelowAll = noVersion.test(version);
  switch (operation) {
    case "less than":
      return isBelowAll ? undefined : { fixed: version };
    case "less than or equal":
      return isBelowAll ? undefined : { lastAffected: version };
    case "equals":
      return isBelowAll ? undefined : { introduced: version, lastAffected: version };
    case "greater than":
    case "greater than or equal":
      return isBelowAll ? {} : { introduced: version };
    case "not equal":
      return {};
    default:
      throw malformedRecord(`a version with the operation ${JSON.stringify(demand.operation)}`);
  }
}
