/**
 * The order of gem versions.
 *
 * ```
 * version = ""                                             the same as "0"
 *         | digits {"." alnum} ["-" dashed {"." dashed}]   "-" is read as ".pre."
 * ```
 * A version is the list of its runs of digits and of letters. A letter makes it a prerelease: letters are below every
 * number, a missing segment is 0, and zeros before the first letter or at the end do not count.
 *
 * @see https://docs.ruby-lang.org/en/master/Gem/Version.html
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order } from "../define-order.ts";
import { isDigits, stripZeros } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";
import { compareSegments } from "../segments.ts";
import { withoutPlatform } from "./platform.ts";

/** The segments of a version: its runs of digits and of letters. */
export interface GemVersion {
  readonly segments: readonly string[];
  /** The segments without the zeros that do not count: `1.0.a.0` is `1.a`. */
  readonly canonical: readonly string[];
}

const pattern = /^\d+(?:\.[0-9a-z]+)*(?:-[0-9a-z-]+(?:\.[0-9a-z-]+)*)?$/i;

/**
 * Reads a version; blanks around it do not count. A platform (`1.15.0-x86_64-linux`) is not part of a version.
 * @throws ScanError `malformed_version`
 * @example
 * const { segments } = parse("1.4.2.rc1");
 */
export function parse(text: string): GemVersion {
  const trimmed = withoutPlatform(text.trim());
  if (trimmed === "") return gemVersion(["0"]);
  if (!pattern.test(trimmed)) throw malformedVersion("a gem version", text);
  return gemVersion(trimmed.replaceAll("-", ".pre.").match(/\d+|[a-z]+/gi) ?? []);
}

function gemVersion(segments: readonly string[]): GemVersion {
  const letters = segments.findIndex((segment) => !isDigits(segment));
  if (letters === -1) return { segments, canonical: withoutZeros(segments) };
  return {
    segments,
    canonical: [...withoutZeros(segments.slice(0, letters)), ...withoutZeros(segments.slice(letters))],
  };
}

function withoutZeros(segments: readonly string[]): readonly string[] {
  const last = segments.findLastIndex((segment) => stripZeros(segment) !== "");
  return segments.slice(0, last + 1);
}

function compareVersions(a: GemVersion, b: GemVersion): Order {
  const length = Math.max(a.canonical.length, b.canonical.length);
  for (let i = 0; i < length; i++) {
    const order = compareSegments(a.canonical[i] ?? "0", b.canonical[i] ?? "0");
    if (order !== 0) return order;
  }
  return 0;
}

/** The order of gem versions. */
export const gemVersions: VersionScheme<GemVersion> = { name: "gem", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.4.2.rc1", "1.4.2"); // -1
 * valid("1.4.2"); // true
 */
export const { compare, valid } = defineOrder(gemVersions);
