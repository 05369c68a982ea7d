import type { ResultOf } from "../api/operation.ts";

/** The owner of a log: a repository (`NAMESPACE/NAME`), an organization, the visitor, or the whole registry. */
export type LogOwner =
  | { readonly kind: "repository"; readonly name: string }
  | { readonly kind: "organization"; readonly name: string }
  | { readonly kind: "user" }
  | { readonly kind: "registry" };

/** An entry of a log. */
export type LogEntry = ResultOf<"GET /superuser/logs">["logs"][number];

/** The operations on an owner's log, and their parameters. Each operation uses the parameter that its path contains. */
export function logCalls(owner: LogOwner) {
  const { kind } = owner;
  const name = "name" in owner ? owner.name : "";
  const [isRepository, isOrganization, isUser] = [kind === "repository", kind === "organization", kind === "user"];
  const list = isOrganization ? "GET /organization/{orgname}/logs" : isUser ? "GET /user/logs" : "GET /superuser/logs";
  return {
    list: isRepository ? "GET /repository/{repository}/logs" : list,
    export: isRepository
      ? "POST /repository/{repository}/exportlogs"
      : isOrganization
        ? "POST /organization/{orgname}/exportlogs"
        : "POST /user/exportlogs",
    params: { repository: name, orgname: name },
    /** Whether the log may be about several repositories. */
    hasRepository: !isRepository,
    /** Whether it can be exported. */
    hasExport: kind !== "registry",
  } as const;
}

const dayMs = 86_400_000;

/** A period of a log, both days included, as `2026-01-31`. */
export interface LogDays {
  readonly from: string;
  readonly to: string;
}

/** The period in an address; by default, the seven days up to its last day or to today. */
export function logDays(from: string, to: string, now: number): LogDays {
  const last = isDay(to) ? to : dayOf(now);
  return { from: isDay(from) ? from : dayOf(Date.parse(last) - 6 * dayMs), to: last };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** A day as the management API reads it: `01/31/2026`. */
export function apiDay(day: string): string {
  const [year, month, ofMonth] = day.split("-");
  return `${month}/${ofMonth}/${year}`;
}

/** The number of entries of one kind on one day. */
export interface DayCount {
  readonly kind: string;
  readonly count: number;
  readonly datetime: string;
}

/** The largest number of days that are drawn. */
const maxDays = 366;

/** The number of entries on each day, 0 included. @param kind the only kind to count; empty: all */
export function countsByDay(counts: readonly DayCount[], { from, to }: LogDays, kind: string) {
  const byDay = new Map<string, number>();
  for (const { kind: found, count, datetime } of counts) {
    if (kind !== "" && kind !== found) continue;
    const day = dayOf(Date.parse(datetime));
    byDay.set(day, (byDay.get(day) ?? 0) + count);
  }
  const length = Math.min(maxDays, Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1);
  return Array.from({ length: Math.max(0, length) }, (_, index) => {
    const name = dayOf(Date.parse(from) + index * dayMs);
    return { name, value: byDay.get(name) ?? 0 };
  });
}

/** The number of entries of each kind, the largest first. */
export function countsByKind(counts: readonly DayCount[]): readonly (readonly [kind: string, count: number])[] {
  const byKind = new Map<string, number>();
  for (const { kind, count } of counts) byKind.set(kind, (byKind.get(kind) ?? 0) + count);
  return [...byKind].sort(([, one], [, other]) => other - one);
}

/** The members of an entry's metadata that are strings, as one line: `repo: app, tag: 1.2`. */
export function metadataText({ metadata }: { readonly metadata: object }): string {
  const texts = Object.entries<unknown>({ ...metadata }).filter(([, value]) => typeof value === "string");
  return texts.map(([name, value]) => `${name}: ${value}`).join(", ");
}
