import type { Advisory, AdvisoryRange, AdvisoryRule } from "@plimsoll/core";
import { textIdOf } from "./shared-texts.ts";
import type { AdvisoryColumns } from "./tables.ts";

/** `advisory.status` is an index into this list; only ever append. */
export const advisoryStatuses = [
  "affected",
  "not-affected",
  "undetermined",
] as const satisfies AdvisoryRule["status"][];

/** An advisory as it is stored: its columns, and the text that `text_id` names. */
export interface EncodedAdvisory {
  readonly columns: AdvisoryColumns;
  readonly text: string;
}

/** The columns of a rule, by which matchers judge. */
export type RuleColumns = Omit<AdvisoryColumns, "text_id">;

/** What few rules have; absent members are empty. */
type Extra = Partial<Pick<AdvisoryRule, "aliases" | "module" | "arch" | "ranges" | "versions">>;

/** What only reports show. */
type AdvisoryText = Omit<Advisory, keyof AdvisoryRule | "updater">;

/** The same advisory always gives the same columns and text, whatever the order of its members. */
export function encodeAdvisory(advisory: Advisory): EncodedAdvisory {
  const text = JSON.stringify(textOf(advisory));
  const [range = {}] = advisory.ranges.length === 1 ? advisory.ranges : [];
  const columns = {
    advisory_id: advisory.id,
    ecosystem: advisory.ecosystem,
    package_name: advisory.packageName,
    name: advisory.name,
    is_source: advisory.packageKind === "SOURCE" ? 1 : 0,
    status: advisoryStatuses.indexOf(advisory.status),
    introduced: range.introduced ?? null,
    fixed: range.fixed ?? null,
    last_affected: range.lastAffected ?? null,
    extra: extraOf(advisory),
    text_id: textIdOf(text),
  };
  return { columns, text };
}

/** The advisory of an updater from its columns and text. */
export function decodeAdvisory(columns: RuleColumns, updater: string, text: string): Advisory {
  return { ...decodeRule(columns), updater, ...(JSON.parse(text) as AdvisoryText) };
}

/** The rule from its columns. */
export function decodeRule(columns: RuleColumns): AdvisoryRule {
  const extra: Extra = columns.extra === null ? {} : (JSON.parse(columns.extra) as Extra);
  return {
    id: columns.advisory_id,
    name: columns.name,
    aliases: extra.aliases ?? none,
    ecosystem: columns.ecosystem,
    packageName: columns.package_name,
    packageKind: columns.is_source === 1 ? "SOURCE" : "BINARY",
    ...(extra.module !== undefined && { module: extra.module }),
    ...(extra.arch !== undefined && { arch: extra.arch }),
    status: advisoryStatuses[columns.status] ?? "undetermined",
    ranges: extra.ranges ?? [rangeOf(columns)],
    versions: extra.versions ?? none,
  };
}

/** Whether PostgreSQL can store all of it: its text has no NUL. */
export function isStorable(columns: AdvisoryColumns): boolean {
  return Object.values(columns).every((value) => typeof value !== "string" || !value.includes("\0"));
}

const none: readonly never[] = [];

function rangeOf({ introduced, fixed, last_affected: lastAffected }: RuleColumns): AdvisoryRange {
  return {
    ...(introduced !== null && { introduced }),
    ...(fixed !== null && { fixed }),
    ...(lastAffected !== null && { lastAffected }),
  };
}

function extraOf({ aliases, module, arch, ranges, versions }: Advisory): string | null {
  const extra: Extra = {
    ...(aliases.length > 0 && { aliases }),
    ...(module !== undefined && { module }),
    ...(arch !== undefined && { arch: { operation: arch.operation, value: arch.value } }),
    ...(ranges.length !== 1 && { ranges: ranges.map(inOrder) }),
    ...(versions.length > 0 && { versions }),
  };
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra);
}

function inOrder({ introduced, fixed, lastAffected }: AdvisoryRange): AdvisoryRange {
  return {
    ...(introduced !== undefined && { introduced }),
    ...(fixed !== undefined && { fixed }),
    ...(lastAffected !== undefined && { lastAffected }),
  };
}

function textOf({ description, issuedAt, links, severity, normalizedSeverity, remediation }: Advisory): AdvisoryText {
  return {
    ...(description !== undefined && { description }),
    ...(issuedAt !== undefined && { issuedAt }),
    links,
    ...(severity !== undefined && { severity }),
    normalizedSeverity,
    ...(remediation !== undefined && { remediation }),
  };
}
