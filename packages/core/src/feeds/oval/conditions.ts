import { type AdvisoryRange, type ArchCondition, archOperations } from "../../model/advisory.ts";
import { malformedRecord } from "../shared/malformed-feed.ts";
import type { OvalDemand, OvalTest } from "./tables.ts";

/** A package in a range of versions. */
export interface PackageCondition {
  readonly name: string;
  /** Undefined where no version meets the condition: the package is not affected. */
  readonly range: AdvisoryRange | undefined;
}

/** Conditions that must all hold. */
export interface Conditions {
  /** Names of releases and products in the document, one of which must be installed. */
  readonly products?: readonly string[];
  /** `name:stream` */
  readonly module?: string;
  readonly arch?: ArchCondition;
  readonly package?: PackageCondition;
}

/** The text of a criterion and the test that it refers to. */
export interface OvalCriterion {
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
export function conditionsOf({ comment, test, isNegated }: OvalCriterion): readonly Conditions[] {
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
