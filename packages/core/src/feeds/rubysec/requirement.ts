import { malformedRecord } from "../shared/malformed-feed.ts";
import type { Comparison } from "../shared/version-intervals.ts";

/**
 * The comparisons of a requirement of RubyGems, all of which must hold.
 *
 * ```
 * requirement = part {"," part}
 * part        = ["=" | ">" | ">=" | "<" | "<=" | "~>"] version
 * ```
 * `~> 1.5.5` is `>= 1.5.5` and below every version of 1.6, prereleases included.
 *
 * @throws ScanError `malformed_feed`
 * @see https://guides.rubygems.org/patterns/#pessimistic-version-constraint
 */
export function parseRequirement(text: string): readonly Comparison[] {
  return text.split(",").flatMap((part) => comparisonsOf(part.trim()));
}

const operators: ReadonlySet<string> = new Set<Comparison["operator"]>(["<", "<=", "=", ">", ">="]);

function comparisonsOf(part: string): readonly Comparison[] {
  const [, operator = "=", version = ""] = /^(~>|[<>]=?|=)?\s*([0-9A-Za-z.-]+)$/.exec(part) ?? [];
  if (version === "") throw malformedRecord(`no requirement ${JSON.stringify(part)}`);
  if (operator === "~>")
    return [
      { operator: ">=", version },
      { operator: "<", version: `${bumped(version)}.A` },
    ];
  if (!isOperator(operator)) throw malformedRecord(`no operator ${JSON.stringify(operator)}`);
  return [{ operator, version }];
}

function isOperator(text: string): text is Comparison["operator"] {
  return operators.has(text);
}

/** The next release of all but the last number: `1.6` of `1.5.5` and of `1.5.5.rc1`, `2` of `1.5` and of `1`. */
function bumped(version: string): string {
  const [release = ""] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  const numbers = release.split(".");
  const kept = numbers.length > 1 ? numbers.slice(0, -1) : numbers;
  const last = kept.length - 1;
  return [...kept.slice(0, last), String(BigInt(kept[last] ?? "0") + 1n)].join(".");
}
