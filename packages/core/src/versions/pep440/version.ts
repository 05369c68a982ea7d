/**
 * The order of Python package versions (PEP 440).
 *
 * ```
 * version = ["v"] [epoch "!"] number {"." number} [pre] [post] [dev] ["+" local]
 * pre     = [sep] ("a" | "alpha" | "b" | "beta" | "c" | "rc" | "pre" | "preview") [sep] [number]
 * post    = [sep] ("post" | "rev" | "r") [sep] [number]  |  "-" number
 * dev     = [sep] "dev" [sep] [number]
 * local   = segment {sep segment}                        sep = "." | "-" | "_"
 * ```
 * Letters of either case are equal and a missing number is 0. The order:
 * `1.0.dev1 < 1.0a1.dev1 < 1.0a1 < 1.0rc1 < 1.0 < 1.0+x < 1.0.post1.dev1 < 1.0.post1`.
 *
 * @see https://packaging.python.org/en/latest/specifications/version-specifiers/#public-version-identifiers
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order, orderOf } from "../define-order.ts";
import { compareDigits, compareNumbers } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";
import { compareSegments } from "../segments.ts";

/** The parts of a version. Numbers are digits of any length. */
export interface Pep440Version {
  readonly epoch: string;
  /** Most significant first; a missing number is 0. */
  readonly release: readonly string[];
  readonly pre?: { readonly stage: "a" | "b" | "rc"; readonly number: string };
  /** The number of the post-release. */
  readonly post?: string;
  /** The number of the development release. */
  readonly dev?: string;
  /** Segments of the local version, in lower case. */
  readonly local?: readonly string[];
}

/** A stage before a release: alpha, beta, release candidate. */
type PreStage = NonNullable<Pep440Version["pre"]>["stage"];

const pattern = new RegExp(
  [
    "^v?(?:(?<epoch>\\d+)!)?(?<release>\\d+(?:\\.\\d+)*)",
    "(?:[-_.]?(?<stage>alpha|a|beta|b|preview|pre|rc|c)[-_.]?(?<pre>\\d*))?",
    "(?:-(?<revision>\\d+)|[-_.]?(?:post|rev|r)[-_.]?(?<post>\\d*))?",
    "(?:[-_.]?dev[-_.]?(?<dev>\\d*))?",
    "(?:\\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$",
  ].join(""),
);

const stages: ReadonlyMap<string, PreStage> = new Map([
  ["a", "a"],
  ["alpha", "a"],
  ["b", "b"],
  ["beta", "b"],
  ["c", "rc"],
  ["rc", "rc"],
  ["pre", "rc"],
  ["preview", "rc"],
]);

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { epoch, release } = parse("1!2.0.post1");
 */
export function parse(text: string): Pep440Version {
  const parts = pattern.exec(text.trim().toLowerCase())?.groups;
  if (parts?.release === undefined) throw malformedVersion("a PEP 440 version", text);
  const stage = stages.get(parts.stage ?? "");
  const post = parts.revision ?? parts.post;
  return {
    epoch: parts.epoch ?? "",
    release: parts.release.split("."),
    pre: stage && { stage, number: parts.pre ?? "" },
    post,
    dev: parts.dev,
    local: parts.local === undefined ? undefined : parts.local.split(/[-_.]/),
  };
}

function compareVersions(a: Pep440Version, b: Pep440Version): Order {
  return (
    compareDigits(a.epoch, b.epoch) ||
    compareNumbers(a.release, b.release) ||
    orderOf(stageRank(a), stageRank(b)) ||
    compareDigits(a.pre?.number ?? "", b.pre?.number ?? "") ||
    compareOptional(a.post, b.post, -1) ||
    compareOptional(a.dev, b.dev, 1) ||
    compareLocals(a.local, b.local)
  );
}

/** A development release of the release itself comes before every prerelease. */
function stageRank(version: Pep440Version): number {
  if (version.pre !== undefined) return ["a", "b", "rc"].indexOf(version.pre.stage);
  return version.dev !== undefined && version.post === undefined ? -1 : 3;
}

/** Orders two numbers, either of which may be missing; `missing` is the order of a missing number against any other. */
function compareOptional(a: string | undefined, b: string | undefined, missing: Order): Order {
  if (a === undefined) return b === undefined ? 0 : missing;
  if (b === undefined) return missing === 1 ? -1 : 1;
  return compareDigits(a, b);
}

function compareLocals(a: readonly string[] = [], b: readonly string[] = []): Order {
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const order = compareSegments(left, right);
    if (order !== 0) return order;
  }
  return orderOf(a.length, b.length);
}

/**
 * The local part of an installed version counts only against a version that has one: `2.5.1+cu121` is a build of `2.5.1`, and equal to it.
 * @see https://packaging.python.org/en/latest/specifications/version-specifiers/#version-matching
 * @see https://packaging.python.org/en/latest/specifications/version-specifiers/#inclusive-ordered-comparison
 */
function compareStated(installed: Pep440Version, stated: Pep440Version): Order {
  if (installed.local === undefined || stated.local !== undefined) return compareVersions(installed, stated);
  const { local: _, ...published } = installed;
  return compareVersions(published, stated);
}

/** The order of Python package versions. */
export const pep440Versions: VersionScheme<Pep440Version> = {
  name: "pep440",
  parse,
  compare: compareVersions,
  compareStated,
};

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("2.0.dev1", "2.0a1"); // -1
 * valid("2.0.post1"); // true
 */
export const { compare, valid } = defineOrder(pep440Versions);
