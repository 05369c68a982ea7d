/**
 * The order of versions of Dart packages: Semantic Versioning, with ordered builds.
 *
 * ```
 * version = semantic-version          {"." | "-"}-separated identifiers after "+" are the build
 * ```
 * Of two versions that differ only in their build, the one without a build is lower: `1.0.0` is below `1.0.0+1`. Semantic Versioning ignores builds, but
 * packages on pub.dev publish fixes as builds.
 *
 * @see https://github.com/dart-lang/tools/blob/main/pkgs/pub_semver/lib/src/version.dart
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order, orderOf } from "../define-order.ts";
import { comparePrereleases } from "../prerelease.ts";
import { type SemverVersion, semverVersions } from "../semver/version.ts";

/** The parts of a version. */
export interface PubVersion extends SemverVersion {
  /** Empty for a version without a build. */
  readonly build: readonly string[];
}

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { prerelease, build } = parse("1.2.3-dev.1+4");
 */
export function parse(text: string): PubVersion {
  const trimmed = text.trim();
  const plus = trimmed.indexOf("+");
  const build = plus < 0 ? [] : trimmed.slice(plus + 1).split(".");
  return { ...semverVersions.parse(trimmed), build };
}

function compareVersions(a: PubVersion, b: PubVersion): Order {
  return semverVersions.compare(a, b) || compareBuilds(a.build, b.build);
}

function compareBuilds(a: readonly string[], b: readonly string[]): Order {
  if (a.length === 0 || b.length === 0) return orderOf(a.length === 0 ? 0 : 1, b.length === 0 ? 0 : 1);
  return comparePrereleases(a, b);
}

/** The order of versions of Dart packages. */
export const pubVersions: VersionScheme<PubVersion> = { name: "pub", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.0.0+1", "1.0.0"); // 1
 * valid("1.0"); // false
 */
export const { compare, valid } = defineOrder(pubVersions);
