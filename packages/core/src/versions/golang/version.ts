/**
 * The order of Go module versions and of toolchain names.
 *
 * ```
 * module     = ["v"] major ["." minor ["." patch ["-" prerelease]]] {"+" build}
 * toolchain  = "go" major ["." minor ["." patch]] [("beta" | "rc") number] ["-" suffix]
 * prerelease = identifier {"." identifier}
 * ```
 * Missing numbers are 0. Build metadata (`+incompatible`, `+dirty`) and a toolchain's suffix are ignored. `go1.21rc2` is
 * read as 1.21.0-rc.2. Pseudo-versions need no special rule: their time stamps have a fixed width.
 *
 * @see https://pkg.go.dev/golang.org/x/mod/semver
 * @see https://go.dev/doc/toolchain#version
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order } from "../define-order.ts";
import { compareNumbers } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";
import { comparePrereleases } from "../prerelease.ts";

/** The parts of a version. */
export interface GolangVersion {
  /** One to three numbers of any size, most significant first. */
  readonly numbers: readonly string[];
  /** Empty for a release. */
  readonly prerelease: readonly string[];
}

const number = "(?:0|[1-9]\\d*)";
const identifier = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const build = "(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)*";
const full = new RegExp(`^v?(${number}\\.${number}\\.${number})(?:-(${identifier}(?:\\.${identifier})*))?${build}$`);
const short = new RegExp(`^v?(${number}(?:\\.${number})?)$`);
const toolchain = new RegExp(`^go(${number}(?:\\.${number}){0,2})(?:(beta|rc)(${number}))?(?:-\\S*)?$`);

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { numbers } = parse("v1.2.3");
 */
export function parse(text: string): GolangVersion {
  const trimmed = text.trim();
  const [, numbers, prerelease] = full.exec(trimmed) ?? short.exec(trimmed) ?? [];
  if (numbers !== undefined) return { numbers: numbers.split("."), prerelease: prerelease?.split(".") ?? [] };

  const [, release, stage, count] = toolchain.exec(trimmed) ?? [];
  if (release === undefined) throw malformedVersion("a Go module version or toolchain name", text);
  return { numbers: release.split("."), prerelease: stage !== undefined && count !== undefined ? [stage, count] : [] };
}

function compareVersions(a: GolangVersion, b: GolangVersion): Order {
  return compareNumbers(a.numbers, b.numbers) || comparePrereleases(a.prerelease, b.prerelease);
}

/** The order of Go module versions and toolchain names. */
export const golangVersions: VersionScheme<GolangVersion> = { name: "golang", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("v0.0.0-20220412000000-abcdefabcdef", "v0.0.0"); // -1
 * valid("v1.2.3"); // true
 */
export const { compare, valid } = defineOrder(golangVersions);
