/**
 * The order of versions of Bitnami's components: Semantic Versioning, followed by a revision of the package.
 *
 * ```
 * version  = semantic-version ["-" revision]
 * revision = digits           absent is 0
 * ```
 * Advisories name versions of the upstream project: `1.0.8-3` is a build of 1.0.8 and not a prerelease of it.
 *
 * @see https://github.com/bitnami/vulndb
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order } from "../define-order.ts";
import { compareDigits } from "../digits.ts";
import { type SemverVersion, semverVersions } from "../semver/version.ts";

/** The parts of a version. */
export interface BitnamiVersion {
  readonly upstream: SemverVersion;
  /** Digits; absent where the version has none. */
  readonly revision?: string;
}

/**
 * Reads a version; blanks around it do not count. Numbers that are missing are 0: `2023.1` is `2023.1.0`.
 * @throws ScanError `malformed_version`
 * @example
 * const { upstream, revision } = parse("7.2.4-3");
 */
export function parse(text: string): BitnamiVersion {
  const trimmed = text.trim();
  const [, upstream = trimmed, revision] = /^(.*)-(\d+)$/s.exec(trimmed) ?? [];
  return { upstream: semverVersions.parse(completed(upstream)), revision };
}

/** The version with three numbers, if it has one or two. */
function completed(version: string): string {
  const [, numbers, rest] = /^v?(\d+(?:\.\d+)?)(?![\d.])(.*)$/s.exec(version) ?? [];
  if (numbers === undefined) return version;
  return `${numbers}${numbers.includes(".") ? ".0" : ".0.0"}${rest ?? ""}`;
}

function compareVersions(a: BitnamiVersion, b: BitnamiVersion): Order {
  return semverVersions.compare(a.upstream, b.upstream) || compareDigits(a.revision ?? "0", b.revision ?? "0");
}

/** The revision of an installed version counts only against a version that has one: `7.2.3-4` is a build of `7.2.3`, and equal to it. */
function compareStated(installed: BitnamiVersion, stated: BitnamiVersion): Order {
  if (stated.revision === undefined) return semverVersions.compare(installed.upstream, stated.upstream);
  return compareVersions(installed, stated);
}

/** The order of versions of Bitnami's components. */
export const bitnamiVersions: VersionScheme<BitnamiVersion> = {
  name: "bitnami",
  parse,
  compare: compareVersions,
  compareStated,
};

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.0.8-3", "1.0.8"); // 1
 * valid("latest"); // false
 */
export const { compare, valid } = defineOrder(bitnamiVersions);
