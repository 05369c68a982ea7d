/**
 * The order of npm versions: Semantic Versioning, read loosely.
 *
 * ```
 * version = {"v" | "=" | blank} major "." minor "." patch [["-"] prerelease] ["+" build]
 * ```
 * Build metadata is ignored. Prereleases are ordered like any other version: a range may include them.
 *
 * @see https://semver.org/#spec-item-11
 * @see https://github.com/npm/node-semver#functions
 */
import SemVer from "semver/classes/semver.js";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order, orderOf } from "../define-order.ts";
import { malformedVersion } from "../malformed.ts";
import { comparePrereleases } from "../prerelease.ts";

/** The parts of a version. */
export interface SemverVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Empty for a release. */
  readonly prerelease: readonly string[];
}

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`, also for numbers above 2^53 and texts above 256 characters
 * @example
 * const { major, minor, patch } = parse("1.2.3-rc.1");
 */
export function parse(text: string): SemverVersion {
  try {
    const { major, minor, patch, prerelease } = new SemVer(text, { loose: true });
    return { major, minor, patch, prerelease: prerelease.map(String) };
  } catch {
    throw malformedVersion("a semantic version", text);
  }
}

function compareVersions(a: SemverVersion, b: SemverVersion): Order {
  return (
    orderOf(a.major, b.major) ||
    orderOf(a.minor, b.minor) ||
    orderOf(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

/** The order of npm versions. */
export const semverVersions: VersionScheme<SemverVersion> = { name: "semver", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.2.3-rc.1", "1.2.3"); // -1
 * valid("1.2"); // false
 */
export const { compare, valid } = defineOrder(semverVersions);
