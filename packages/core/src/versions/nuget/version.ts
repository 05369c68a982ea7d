/**
 * The order of NuGet versions.
 *
 * ```
 * version = number {"." number}          one to four numbers; missing ones are 0
 *           ["-" label {"." label}]      letters of either case are equal
 *           ["+" metadata]               ignored
 * ```
 *
 * @see https://learn.microsoft.com/nuget/concepts/package-versioning
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order } from "../define-order.ts";
import { compareNumbers } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";
import { comparePrereleases } from "../prerelease.ts";

/** The parts of a version. */
export interface NugetVersion {
  /** One to four numbers of any size, most significant first. */
  readonly numbers: readonly string[];
  /** In lower case; empty for a release. */
  readonly labels: readonly string[];
}

const pattern = /^(\d+(?:\.\d+){0,3})(?:-([0-9a-z-]+(?:\.[0-9a-z-]+)*))?(?:\+[0-9a-z-]+(?:\.[0-9a-z-]+)*)?$/;

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const version = parse("1.2.3.4-beta");
 */
export function parse(text: string): NugetVersion {
  const [, numbers, labels] = pattern.exec(text.trim().toLowerCase()) ?? [];
  if (numbers === undefined) throw malformedVersion("a NuGet version", text);
  return { numbers: numbers.split("."), labels: labels?.split(".") ?? [] };
}

function compareVersions(a: NugetVersion, b: NugetVersion): Order {
  return compareNumbers(a.numbers, b.numbers) || comparePrereleases(a.labels, b.labels);
}

/** The order of NuGet versions. */
export const nugetVersions: VersionScheme<NugetVersion> = { name: "nuget", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.2.3-beta", "1.2.3"); // -1
 * valid("1.2.3.4"); // true
 */
export const { compare, valid } = defineOrder(nugetVersions);
