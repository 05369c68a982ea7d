import type { VexStatement } from "@plimsoll/scanner";
import { isRecord, type SettingKind } from "./setting-kind.ts";

/** A rule of the configuration that suppresses findings, for a stated reason and optionally until a date. */
export interface IgnoreRule {
  /** The vulnerability: `CVE-2024-45491`, `GHSA-…`. */
  readonly id: string;
  /** The package URL of the package, optionally without version and qualifiers; by default every package. */
  readonly package?: string;
  /** The image, by digest, name or package URL; by default every image. */
  readonly image?: string;
  readonly reason: string;
  readonly author?: string;
  /** The last day on which the rule applies, `YYYY-MM-DD`. */
  readonly expires?: string;
}

const names: ReadonlySet<string> = new Set(["id", "package", "image", "reason", "author", "expires"]);

/** The setting kind of a list of rules. */
export const ignoreRules: SettingKind<readonly IgnoreRule[]> = {
  fromText: (given) => {
    try {
      return ignoreRules.fromJson(JSON.parse(given));
    } catch {
      return undefined;
    }
  },
  fromJson: (json) => (Array.isArray(json) && json.every(isRule) ? json : undefined),
  expected:
    "a list of rules, each with id (CVE-…) and reason, and optionally package (pkg:…), image, author and expires (YYYY-MM-DD)",
};

function isRule(json: unknown): json is IgnoreRule {
  if (!isRecord(json) || !Object.keys(json).every((name) => names.has(name))) return false;
  if (!Object.values(json).every((value) => typeof value === "string" && value !== "")) return false;
  const { id, reason, package: purl, expires } = json;
  if (id === undefined || reason === undefined) return false;
  if (typeof purl === "string" && !purl.startsWith("pkg:")) return false;
  return typeof expires !== "string" || (/^\d{4}-\d{2}-\d{2}$/.test(expires) && !Number.isNaN(Date.parse(expires)));
}

const dayMs = 86_400_000;

/** The VEX statement of a rule. */
export function ignoreStatement(rule: IgnoreRule, index: number): VexStatement {
  const { id, package: component, image, reason, author, expires } = rule;
  return {
    vulnerability: [id],
    status: "not_affected",
    products: [{ image, component }],
    detail: reason,
    place: `ignore[${index}]`,
    author,
    expiresAt: expires === undefined ? undefined : Date.parse(expires) + dayMs,
  };
}
