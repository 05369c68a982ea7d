/**
 * The order of Composer versions.
 *
 * ```
 * version  = (classic | date | numeric branch | branch) ["@" stability] [" as " alias]
 * classic  = ["v"] number {"." number} [modifier] ["+" build]      one to four numbers; missing ones are 0
 * date     = ["v"] year {["." | ":" | "-"] two digits} [modifier]  as many numbers as there are
 * modifier = ["." | "_" | "-"] [stage [number {("." | "-") number}]] [["." | "-"] "dev"]
 * stage    = "alpha" | "a" | "beta" | "b" | "rc" | "stable" | "patch" | "pl" | "p"
 * numeric branch = "1.x-dev"   above every 1.N           branch = "dev-" name   below everything
 * ```
 * Letters of either case are equal; build, stability flag and alias do not count. Position by position:
 * `dev < alpha < beta < RC < the end < a number < patch`. Composer cannot compare two branches; here their names decide.
 *
 * @see https://getcomposer.org/doc/articles/versions.md
 * @see https://www.php.net/manual/en/function.version-compare.php
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder } from "../define-order.ts";
import { malformedVersion } from "../malformed.ts";
import { compareTokens, type VersionToken } from "../tokens.ts";

/** The tokens of a version, with the end token last. */
export type ComposerVersion = readonly VersionToken[];

const branchRank = 0;
const numberRank = 6;
const dev: VersionToken = { rank: 1, text: "", numeric: false };
const end: VersionToken = { rank: 5, text: "", numeric: false };

const stageRanks: ReadonlyMap<string, number> = new Map([
  ["a", 2],
  ["alpha", 2],
  ["b", 3],
  ["beta", 3],
  ["rc", 4],
  ["p", 7],
  ["pl", 7],
  ["patch", 7],
]);

const modifier = "[._-]?(?:(alpha|a|beta|b|rc|stable|patch|pl|p)((?:[.-]?\\d+(?:[.-]\\d+)*)?))?([.-]?dev)?";
const classic = new RegExp(`^v?(\\d{1,5}(?:\\.\\d+){0,3})${modifier}$`, "i");
const date = new RegExp(`^v?(\\d{4}(?:[.:-]?\\d{2}){1,6}(?:[.:-]?\\d{1,3}){0,2})${modifier}$`, "i");
const numericBranch = /^v?(\d+(?:\.(?:\d+|[x*])){0,3})[.-]?dev$/i;
/** The number that Composer puts for `x` in a numeric branch. */
const anyNumber = "9999999";

/**
 * Reads a version; blanks around it do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const version = parse("1.2.0-RC1");
 */
export function parse(text: string): ComposerVersion {
  const plain = text
    .trim()
    .replace(/^([^,\s]+) +as +[^,\s]+$/, "$1")
    .replace(/@(?:stable|rc|beta|alpha|dev)$/i, "");
  if (/^dev-./i.test(plain)) return branch(plain.slice("dev-".length));
  if (/^(?:master|trunk|default)$/.test(plain)) return branch(plain);

  const release = plain.replace(/^([^,\s+]+)\+\S+$/, "$1");
  const [, numbers, ...stage] = classic.exec(release) ?? [];
  if (numbers !== undefined) return [...numberTokens(padded(numbers.split("."), "0")), ...stageTokens(stage), end];
  const [, digits, ...dateStage] = date.exec(release) ?? [];
  if (digits !== undefined) return [...numberTokens(digits.split(/[.:-]/)), ...stageTokens(dateStage), end];
  const [, line] = numericBranch.exec(release) ?? [];
  if (line === undefined) throw malformedVersion("a Composer version", text);
  return [...numberTokens(padded(line.replaceAll(/[x*]/gi, anyNumber).split("."), anyNumber)), dev, end];
}

function branch(name: string): ComposerVersion {
  return [{ rank: branchRank, text: name, numeric: false }, end];
}

/** The numbers, filled up to four. */
function padded(numbers: readonly string[], filler: string): readonly string[] {
  return [...numbers, filler, filler, filler].slice(0, 4);
}

function numberTokens(numbers: readonly string[]): readonly VersionToken[] {
  return numbers.map((digits) => ({ rank: numberRank, text: digits, numeric: true }));
}

/** The tokens of a modifier: stage, its numbers, dev. A `stable` modifier has none. */
function stageTokens([stage = "", numbers = "", branchSuffix]: readonly (
  | string
  | undefined
)[]): readonly VersionToken[] {
  const name = stage.toLowerCase();
  if (name === "stable") return [];
  const rank = stageRanks.get(name);
  const counted = numbers.split(/[.-]/).filter((digits) => digits !== "");
  return [
    ...(rank === undefined ? [] : [{ rank, text: "", numeric: false }, ...numberTokens(counted)]),
    ...(branchSuffix === undefined ? [] : [dev]),
  ];
}

/** The order of Composer versions. */
export const composerVersions: VersionScheme<ComposerVersion> = { name: "composer", parse, compare: compareTokens };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.2.0-RC1", "1.2.0"); // -1
 * valid("1.2.0"); // true
 */
export const { compare, valid } = defineOrder(composerVersions);
