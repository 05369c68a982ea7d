import type { Advisory } from "@plimsoll/core";
import type { AdvisoryRange } from "@plimsoll/core/internal";
import type { AdvisoryRule } from "@plimsoll/core/match";
import { textIdOf } from "./shared-texts.ts";
import type { AdvisoryColumns } from "./tables.ts";

/** The values of `advisory.statement`, which is an index into this list. Only append to it. */
const statements = [
  { packageKind: "BINARY", status: "affected" },
  { packageKind: "SOURCE", status: "affected" },
  { packageKind: "BINARY", status: "not-affected" },
  { packageKind: "SOURCE", status: "not-affected" },
  { packageKind: "BINARY", status: "undetermined" },
  { packageKind: "SOURCE", status: "undetermined" },
] as const satisfies Pick<AdvisoryRule, "packageKind" | "status">[];

/** The value for an index of a later release, which this one does not know. */
const unknownStatement = { packageKind: "BINARY", status: "undetermined" } as const;

/** An encoded advisory: its columns, and the text that `text_id` names. */
export interface EncodedAdvisory {
  readonly columns: AdvisoryColumns;
  readonly text: string;
}

/** The columns of a rule, which matchers use. */
export type RuleColumns = Omit<AdvisoryColumns, "text_id">;

/** The members that few rules have. Absent members are empty; absent ranges are that of column `fixed`. */
type Extra = Partial<Pick<AdvisoryRule, "aliases" | "module" | "arch" | "cpes" | "ranges" | "versions" | "imports">>;

/** The members that only reports show. */
type AdvisoryText = Omit<Advisory, keyof AdvisoryRule | "updater">;

/** Encodes an advisory. The result does not depend on the order of its members. */
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

/** Decodes an advisory from its columns and text. */
export function decodeAdvisory(columns: RuleColumns, updater: string, text: string): Advisory {
  return { ...decodeRule(columns), updater, ...(JSON.parse(text) as AdvisoryText) };
}

/** Decodes a rule from its columns. It runs for every candidate of every image, so that the plain case must be fast. */
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

/** Whether PostgreSQL can store the columns: its text has no NUL. */
export function isStorable(columns: AdvisoryColumns): boolean {
  const { advisory_id: id, ecosystem, package_name: packageName, name, fixed, extra } = columns;
  if (hasNul(id) || hasNul(ecosystem) || hasNul(packageName) || hasNul(name)) return false;
  return (fixed === null || !hasNul(fixed)) && (extra === null || !hasNul(extra));
}

const hasNul = (text: string) => text.includes("\0");

const none: readonly never[] = [];
const everyVersion: readonly AdvisoryRange[] = [{}];

/** Whether column `fixed` describes the whole range. */
function hasPlainRange({ ranges: [range, ...others] }: Advisory): boolean {
  if (range === undefined || others.length > 0) return false;
  return range.introduced === undefined && range.lastAffected === undefined && range.below === undefined;
}

function extraOf(advisory: Advisory): string | null {
  const { aliases, module, arch, cpes, ranges, versions, imports } = advisory;
  const extra: Extra = {
    aliases: aliases.length > 0 ? aliases : undefined,
    module,
    arch: arch && { operation: arch.operation, value: arch.value },
    cpes,
    ranges: !hasPlainRange(advisory) ? ranges.map(inOrder) : undefined,
    versions: versions.length > 0 ? versions : undefined,
    imports: imports?.map(({ path, symbols }) => ({ path, symbols })),
  };
  const text = JSON.stringify(extra);
  return text === "{}" ? null : text;
}

function inOrder({ introduced, fixed, lastAffected, below }: AdvisoryRange): AdvisoryRange {
  return { introduced, fixed, lastAffected, below };
}

function textOf(advisory: Advisory): AdvisoryText {
  const { description, issuedAt, links, severity, normalizedSeverity, remediation } = advisory;
  return { description, issuedAt, links, severity, normalizedSeverity, remediation };
}
