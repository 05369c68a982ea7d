/**
 * The order of versions of conda packages.
 *
 * ```
 * version   = [epoch "!"] parts ["+" parts]          the parts after "+" are the local version
 * parts     = part {("." | "_") part}                a last "_" belongs to the part before it
 * part      = {digits | letters}                     in lower case; one that begins with letters begins with a 0
 * ```
 * Runs of digits are numbers, and a missing part or run is 0. Words are below numbers, in this order: `dev`, other words by their letters; `post` is
 * above all numbers. A version without underscores may have hyphens in their place.
 *
 * @see https://docs.conda.io/projects/conda/en/stable/user-guide/concepts/pkg-specs.html#version-ordering
 * @see https://github.com/conda/conda/blob/main/conda/models/version.py
 */
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { defineOrder, type Order, orderOf } from "../define-order.ts";
import { compareDigits, isDigits } from "../digits.ts";
import { malformedVersion } from "../malformed.ts";

/** The parts of a version, each a list of runs of digits and of other characters. */
export interface CondaVersion {
  /** Digits. */
  readonly epoch: string;
  readonly parts: readonly (readonly string[])[];
  readonly local: readonly (readonly string[])[];
}

const pattern = /^(?:(\d+)!)?([a-z0-9._*]+)(?:\+([a-z0-9._*]+))?$/;

/**
 * Reads a version; blanks around it and the case of letters do not count.
 * @throws ScanError `malformed_version`
 * @example
 * const { epoch, parts, local } = parse("1!1.1.1w+local");
 */
export function parse(text: string): CondaVersion {
  const lower = text.trim().toLowerCase();
  const whole = lower.includes("_") ? lower : lower.replaceAll("-", "_");
  const [, epoch = "0", main, local] = pattern.exec(whole) ?? [];
  if (main === undefined) throw malformedVersion("a conda version", text);
  return { epoch, parts: partsOf(main, text), local: local === undefined ? [] : partsOf(local, text) };
}

function partsOf(version: string, text: string): readonly (readonly string[])[] {
  const last = version.endsWith("_") ? "_" : "";
  const inner = version.slice(0, version.length - last.length).replaceAll("_", ".");
  return `${inner}${last}`.split(".").map((part) => {
    const runs = part.match(/\d+|\*+|[^\d*]+/g);
    if (runs === null) throw malformedVersion("a conda version without empty parts", text);
    return isDigits(runs[0] ?? "") ? runs : ["0", ...runs];
  });
}

function compareVersions(a: CondaVersion, b: CondaVersion): Order {
  return compareDigits(a.epoch, b.epoch) || compareLists(a.parts, b.parts) || compareLists(a.local, b.local);
}

const zero = ["0"];

function compareLists(a: CondaVersion["parts"], b: CondaVersion["parts"]): Order {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = compareParts(a[at] ?? zero, b[at] ?? zero);
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(a: readonly string[], b: readonly string[]): Order {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = compareRuns(a[at] ?? "0", b[at] ?? "0");
    if (order !== 0) return order;
  }
  return 0;
}

function compareRuns(a: string, b: string): Order {
  const rank = orderOf(rankOf(a), rankOf(b));
  if (rank !== 0) return rank;
  return isDigits(a) ? compareDigits(a, b) : orderOf(a, b);
}

/** `dev`, words, numbers, `post`: lowest first. */
function rankOf(run: string): number {
  if (run === "dev") return 0;
  if (run === "post") return 3;
  return isDigits(run) ? 2 : 1;
}

/** The order of versions of conda packages. */
export const condaVersions: VersionScheme<CondaVersion> = { name: "conda", parse, compare: compareVersions };

/**
 * The order of versions in text form. `compare` throws ScanError `malformed_version`.
 * @example
 * compare("1.1.1w", "1.1.1k"); // 1
 * valid("1..2"); // false
 */
export const { compare, valid } = defineOrder(condaVersions);
