import type { Advisory, AdvisoryRange, AdvisoryRule } from "@plimsoll/core";
import { textIdOf } from "./shared-texts.ts";
import type { AdvisoryColumns } from "./tables.ts";

/** `advisory.statement` is an index into this list; only ever append. */
const statements = [
  { packageKind: "BINARY", status: "affected" },
  { packageKind: "SOURCE", status: "affected" },
  { packageKind: "BINARY", status: "not-affected" },
  { packageKind: "SOURCE", status: "not-affected" },
  { packageKind: "BINARY", status: "undetermined" },
  { packageKind: "SOURCE", status: "undetermined" },
] as const satisfies Pick<AdvisoryRule, "packageKind" | "status">[];

/** What a later release may say and this one does not know. */
const unknownStatement = { packageKind: "BINARY", status: "undetermined" } as const;

/** An advisory as it is stored: its columns, and the text that `text_id` names. */
export interface EncodedAdvisory {
  readonly columns: AdvisoryColumns;
  readonly text: string;
}

/** The columns of a rule, by which matchers judge. */
export type RuleColumns = Omit<AdvisoryColumns, "text_id">;

/** What few rules have; absent members are empty, absent ranges the one of column `fixed`. */
type Extra = Partial<Pick<AdvisoryRule, "aliases" | "module" | "arch" | "cpes" | "ranges" | "versions" | "imports">>;

/** What only reports show. */
type AdvisoryText = Omit<Advisory, keyof AdvisoryRule | "updater">;

/** The same advisory always gives the same columns and text, whatever the order of its members. */
export function encodeAdvisory(advisory: Advisory): EncodedAdvisory {
  const text = JSON.stringify(textOf(advisory));
  const columns = {
    advisory_id: advisory.id,
    ecosystem: advisory.ecosystem,
    package_name: advisory.packageName,
    name: advisory.name,
    statement: statements.findIndex(
      ({ packageKind, status }) => packageKind === advisory.packageKind && status === advisory.status,
    ),
    fixed: (hasPlainRange(advisory) ? advisory.ranges[0]?.fixed : undefined) ?? null,
    extra: extraOf(advisory),
    text_id: textIdOf(advisory.name, text),
  };
  return { columns, text };
}

/** The advisory of an updater from its columns and text. */
export function decodeAdvisory(columns: RuleColumns, updater: string, text: string): Advisory {
  return { ...decodeRule(columns), updater, ...(JSON.parse(text) as AdvisoryText) };
}

/** The rule from its columns. Runs for every candidate of every image, so the plain case does nothing else. */
export function decodeRule(columns: RuleColumns): AdvisoryRule {
  const { packageKind, status } = statements[columns.statement] ?? unknownStatement;
  const rule = {
    id: columns.advisory_id,
    name: columns.name,
    aliases: none,
    ecosystem: columns.ecosystem,
    packageName: columns.package_name,
    packageKind,
    status,
    ranges: columns.fixed === null ? everyVersion : [{ fixed: columns.fixed }],
    versions: none,
  };
  return columns.extra === null ? rule : { ...rule, ...(JSON.parse(columns.extra) as Extra) };
}

/** Whether PostgreSQL can store all of it: its text has no NUL. */
export function isStorable(columns: AdvisoryColumns): boolean {
  const { advisory_id: id, ecosystem, package_name: packageName, name, fixed, extra } = columns;
  if (hasNul(id) || hasNul(ecosystem) || hasNul(packageName) || hasNul(name)) return false;
  return (fixed === null || !hasNul(fixed)) && (extra === null || !hasNul(extra));
}

const hasNul = (text: string) => text.includes("\0");

const none: readonly never[] = [];
const everyVersion: readonly AdvisoryRange[] = [{}];

/** Whether column `fixed` says it all. */
function hasPlainRange({ ranges: [range, ...others] }: Advisory): boolean {
  if (range === undefined || others.length > 0) return false;
  return range.introduced === undefined && range.lastAffected === undefined && range.below === undefined;
}

function extraOf(advisory: Advisory): string | null {
  const { aliases, module, arch, cpes, ranges, versions, imports } = advisory;
  const extra: Extra = {
    ...(aliases.length > 0 && { aliases }),
    ...(module !== undefined && { module }),
    ...(arch !== undefined && { arch: { operation: arch.operation, value: arch.value } }),
    ...(cpes !== undefined && { cpes }),
    ...(!hasPlainRange(advisory) && { ranges: ranges.map(inOrder) }),
    ...(versions.length > 0 && { versions }),
    ...(imports !== undefined && { imports: imports.map(({ path, symbols }) => ({ path, symbols })) }),
  };
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra);
}

function inOrder({ introduced, fixed, lastAffected, below }: AdvisoryRange): AdvisoryRange {
  return {
    ...(introduced !== undefined && { introduced }),
    ...(fixed !== undefined && { fixed }),
    ...(lastAffected !== undefined && { lastAffected }),
    ...(below !== undefined && { below }),
  };
}

function textOf(advisory: Advisory): AdvisoryText {
  const { description, issuedAt, links, severity, normalizedSeverity, remediation } = advisory;
  return {
    ...(description !== undefined && { description }),
    ...(issuedAt !== undefined && { issuedAt }),
    links,
    ...(severity !== undefined && { severity }),
    normalizedSeverity,
    ...(remediation !== undefined && { remediation }),
  };
}
