import { cooperativeYield } from "@plimsoll/store";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { AccountKind } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { type DayCount, findCountedDays } from "./daily-log-counts.ts";

/** The time that a query of the usage log covers, in epoch milliseconds: from `startAt` to before `endAt`. */
export interface LogSpan {
  readonly startAt: number;
  readonly endAt: number;
}

/** Which entries a query selects. */
export interface LogFilter extends LogSpan {
  readonly namespaceId?: string;
  readonly repositoryId?: string;
  /** Only entries of the performer who had this name at the time. */
  readonly performerName?: string;
}

/** An entry with the name of its performer, and the columns of its accounts, null for those that are deleted. */
export interface LogRow {
  readonly id: number;
  readonly kind: string;
  readonly metadata: string;
  readonly ip: string | null;
  readonly at: number;
  readonly performer_name: string | null;
  readonly performer_email: string | null;
  readonly namespace_name: string | null;
  readonly namespace_kind: AccountKind | null;
  readonly namespace_email: string | null;
}

/** The position in the usage log at which a page begins, the newest entry first. */
export interface LogPosition {
  /** After the entry with that instant and id. */
  readonly after?: readonly [at: number, id: number];
  /** After so many entries. */
  readonly offset?: number;
}

/** Some entries from a position on, the newest first. */
export async function listLogRows(
  db: RegistryDb,
  filter: LogFilter,
  page: LogPosition & { readonly limit: number },
): Promise<readonly LogRow[]> {
  const { after, offset = 0 } = page;
  let query = filtered(db, filter)
    .leftJoin("account as performer", "performer.id", "usage_log.performer_id")
    .leftJoin("account as namespace", "namespace.id", "usage_log.namespace_id")
    .select(["usage_log.id", "usage_log.kind", "usage_log.metadata", "usage_log.ip", "usage_log.at"])
    .select(["usage_log.performer_name", "performer.email as performer_email"])
    .select(["namespace.username as namespace_name", "namespace.kind as namespace_kind"])
    .select(["namespace.email as namespace_email"]);
  if (after !== undefined) {
    query = query.where(sql<boolean>`(usage_log.at, usage_log.id) < (${after[0]}, ${after[1]})`);
  }
  return query
    .orderBy("usage_log.at", "desc")
    .orderBy("usage_log.id", "desc")
    .limit(page.limit)
    .offset(offset)
    .execute();
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How often each kind happened on each day (in days since 1970). */
export type LogCount = DayCount;

/**
 * Counts entries by day and kind. Whole days are taken from stored counts; the rest is counted hour by hour, so that each query
 * reads an index only and is short.
 */
export async function countLogRows(db: RegistryDb, filter: LogFilter): Promise<readonly LogCount[]> {
  const isCounted = filter.repositoryId === undefined && filter.performerName === undefined;
  const first = Math.ceil(filter.startAt / dayMs);
  const end = Math.max(first, Math.floor(filter.endAt / dayMs));
  const days = { first, end, namespaceId: filter.namespaceId };
  const { counts, until } = isCounted ? await findCountedDays(db, days) : { counts: [], until: 0 };
  const sums = new Map(counts.map((each) => [`${each.day} ${each.kind}`, each]));
  const yieldToOthers = cooperativeYield();
  for (const slice of uncounted(filter, { first, end, until })) {
    for (const { kind, count } of await countSlice(db, { ...filter, ...slice })) {
      const day = Math.floor(slice.startAt / dayMs);
      const before = sums.get(`${day} ${kind}`)?.count ?? 0;
      sums.set(`${day} ${kind}`, { day, kind, count: before + Number(count) });
    }
    await yieldToOthers();
  }
  return [...sums.values()].sort((a, b) => a.day - b.day || (a.kind < b.kind ? -1 : 1));
}

/** The hours of a span that the stored counts of its whole days do not include. */
function* uncounted(
  { startAt, endAt }: LogSpan,
  { first, end, until }: { readonly first: number; readonly end: number; readonly until: number },
): Generator<LogSpan> {
  for (let from = startAt; from < endAt; ) {
    const day = Math.floor(from / dayMs);
    const isWhole = day >= first && day < end;
    const next = Math.min(endAt, from - (from % hourMs) + hourMs);
    if (!isWhole || from >= until) yield { startAt: from, endAt: next };
    from = next;
  }
}

function countSlice(db: RegistryDb, filter: LogFilter) {
  return filtered(db, filter)
    .select(["usage_log.kind", sql<number | string>`count(*)`.as("count")])
    .groupBy("usage_log.kind")
    .orderBy("usage_log.kind")
    .execute();
}

function filtered(db: RegistryDb, filter: LogFilter) {
  const { startAt, endAt, namespaceId, repositoryId, performerName } = filter;
  return db
    .selectFrom("usage_log")
    .where("usage_log.at", ">=", startAt)
    .where("usage_log.at", "<", endAt)
    .$if(namespaceId !== undefined, (query) => query.where(isIn(namespaceId ?? "", performerName)))
    .$if(repositoryId !== undefined, (query) => query.where("usage_log.repository_id", "=", repositoryId ?? ""))
    .$if(performerName !== undefined, (query) => query.where("usage_log.performer_name", "=", performerName ?? ""));
}

/** With a performer, `coalesce` keeps SQLite from using the index by namespace, so that it uses the one by performer. */
function isIn(namespaceId: string, performerName: string | undefined): RawBuilder<SqlBool> {
  return performerName === undefined
    ? sql`usage_log.namespace_id = ${namespaceId}`
    : sql`coalesce(usage_log.namespace_id, '') = ${namespaceId}`;
}
