import { cooperativeYield, oneAtATime } from "@plimsoll/store";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { findFact, putFact } from "../../store/registry-facts.ts";
import type { AccountKind } from "../../store/tables/accounts.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";

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
  /** Only entries of these kinds. */
  readonly kinds?: readonly string[];
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
  readonly direction?: "asc" | "desc";
}

/** Some entries from a position on, the newest first where no direction is given. */
export async function listLogRows(
  db: RegistryDb,
  filter: LogFilter,
  page: LogPosition & { readonly limit: number },
): Promise<readonly LogRow[]> {
  const { after, offset = 0, direction = "desc" } = page;
  let query = filtered(db, filter)
    .leftJoin("account as performer", "performer.id", "usage_log.performer_id")
    .leftJoin("account as namespace", "namespace.id", "usage_log.namespace_id")
    .select(["usage_log.id", "usage_log.kind", "usage_log.metadata", "usage_log.ip", "usage_log.at"])
    .select(["usage_log.performer_name", "performer.email as performer_email"])
    .select(["namespace.username as namespace_name", "namespace.kind as namespace_kind"])
    .select(["namespace.email as namespace_email"]);
  if (after !== undefined) {
    const is = direction === "desc" ? sql`<` : sql`>`;
    query = query.where(sql<boolean>`(usage_log.at, usage_log.id) ${is} (${after[0]}, ${after[1]})`);
  }
  return query
    .orderBy("usage_log.at", direction)
    .orderBy("usage_log.id", direction)
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
  const { startAt, endAt, namespaceId, repositoryId, performerName, kinds } = filter;
  return db
    .selectFrom("usage_log")
    .where("usage_log.at", ">=", startAt)
    .where("usage_log.at", "<", endAt)
    .$if(namespaceId !== undefined, (query) => query.where(isIn(namespaceId ?? "", performerName)))
    .$if(repositoryId !== undefined, (query) => query.where("usage_log.repository_id", "=", repositoryId ?? ""))
    .$if(performerName !== undefined, (query) => query.where("usage_log.performer_name", "=", performerName ?? ""))
    .$if(kinds !== undefined, (query) => query.where("usage_log.kind", "in", kinds ?? []));
}

/** With a performer, `coalesce` keeps SQLite from using the index by namespace, so that it uses the one by performer. */
function isIn(namespaceId: string, performerName: string | undefined): RawBuilder<SqlBool> {
  return performerName === undefined
    ? sql`usage_log.namespace_id = ${namespaceId}`
    : sql`coalesce(usage_log.namespace_id, '') = ${namespaceId}`;
}

/** The name of the fact that holds the first instant whose entries are not counted yet, in epoch milliseconds. */
const countedUntilFact = "log-counted-until";

/** The namespace id under which the counts of the whole registry are stored. */
const everything = "*";

/** The longest time between an action and its entry. */
const settleMs = 600_000;

/** How many entries of a kind a day has. The day is the number of days since 1970. */
interface DayCount {
  readonly day: number;
  readonly kind: string;
  readonly count: number;
}

/** The stored counts of some days. */
interface CountedDays {
  readonly counts: readonly DayCount[];
  /** Entries from this instant on are not among the counts. */
  readonly until: number;
}

/**
 * Counts the past hours of the usage log, each once and in its own transaction, so that it can be stopped at any moment.
 */
export async function countLogHours(store: RegistryStore, now: number, signal: AbortSignal): Promise<void> {
  for (let more = true; more; ) {
    signal.throwIfAborted();
    more = await store.transaction(async (db) => {
      await oneAtATime(store, db, { name: "registry.log-counts" });
      return countNextHour(db, now - settleMs);
    });
  }
}

/** @returns whether there may be another hour */
async function countNextHour(db: RegistryDb, settledAt: number): Promise<boolean> {
  const counted = await findFact(db, countedUntilFact);
  const from = counted === undefined ? 0 : Number(counted);
  const first = await db
    .selectFrom("usage_log")
    .select("at")
    .where("at", ">=", from)
    .orderBy("at")
    .limit(1)
    .executeTakeFirst();
  const startAt = Math.max(from, startOfHour(first?.at ?? settledAt));
  const endAt = startAt + hourMs;
  if (endAt > settledAt) {
    if (startAt > from && startAt <= settledAt) await putFact(db, countedUntilFact, String(startAt));
    return false;
  }
  for (const part of [sql`coalesce(namespace_id, '')`, sql.lit(everything)]) {
    await sql`insert into daily_log_count (namespace_id, day, kind, count)
      select ${part}, ${sql.lit(Math.floor(startAt / dayMs))}, kind, count(*) from usage_log
        where at >= ${startAt} and at < ${endAt} group by 1, kind
      on conflict (namespace_id, day, kind) do update set count = daily_log_count.count + excluded.count`.execute(db);
  }
  await putFact(db, countedUntilFact, String(endAt));
  return true;
}

function startOfHour(at: number): number {
  return at - (at % hourMs);
}

/** The stored counts of the days from `first` to before `end`, of a namespace or of the whole registry. */
async function findCountedDays(
  db: RegistryDb,
  {
    first,
    end,
    namespaceId = everything,
  }: { readonly first: number; readonly end: number; readonly namespaceId?: string },
): Promise<CountedDays> {
  for (;;) {
    const until = await findFact(db, countedUntilFact);
    const counts = await db
      .selectFrom("daily_log_count")
      .select(["day", "kind", "count"])
      .where("namespace_id", "=", namespaceId)
      .where("day", ">=", first)
      .where("day", "<", end)
      .execute();
    if ((await findFact(db, countedUntilFact)) !== until) continue; // another hour was counted in the meantime
    return { counts: counts.map((each) => ({ ...each, count: Number(each.count) })), until: Number(until ?? 0) };
  }
}

/** How often something was pulled, and when it was last; null: never. */
interface PullCount {
  readonly count: number;
  readonly lastAt: number | null;
}

/** What was pulled: an image by its digest, and by tags since they point to it. */
interface PulledImage {
  readonly digest: string;
  readonly tags: readonly { readonly name: string; readonly start_at: number }[];
}

/** How many of the latest pulls of a repository are counted: each request reads them. */
export const countedPulls = 10_000;

/** Counts the pulls by a tag among the latest of a repository that the usage log still has. */
export function countPullsByTag(db: RegistryDb, repositoryId: string, name: string): Promise<PullCount> {
  return countWhere(db, repositoryId, holds("tag", name));
}

/** Counts the pulls of an image among the latest of a repository that the usage log still has. */
export function countPullsOf(db: RegistryDb, repositoryId: string, { digest, tags }: PulledImage): Promise<PullCount> {
  const byTag = tags.map(({ name, start_at }) => sql`(at >= ${start_at} and ${holds("tag", name)})`);
  return countWhere(db, repositoryId, sql.join([holds("manifest_digest", digest), ...byTag], sql` or `));
}

/** Metadata is JSON, so that a quotation mark within a text is escaped: no text holds a whole member. `like` would ignore the case. */
function holds(member: "tag" | "manifest_digest", value: string) {
  const needle = `"${member}":${JSON.stringify(value)}`;
  return sql`replace(metadata, cast(${needle} as text), '') <> metadata`;
}

async function countWhere(
  db: RegistryDb,
  repositoryId: string,
  condition: ReturnType<typeof holds>,
): Promise<PullCount> {
  const { rows } = await sql<{ readonly count: number | string; readonly last: number | string | null }>`
    select count(*) as count, max(at) as last from (
      select at, metadata from usage_log where repository_id = ${repositoryId} and kind = 'pull_repo'
      order by at desc, id desc limit ${sql.lit(countedPulls)}) as pull
    where ${condition}`.execute(db);
  const [found] = rows;
  return { count: Number(found?.count ?? 0), lastAt: found?.last == null ? null : Number(found.last) };
}
