import { oneAtATime } from "@plimsoll/store";
import { sql } from "kysely";
import { findFact, putFact } from "../../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";

/** The first instant whose entries of the usage log are not counted yet, in epoch milliseconds. */
const countedUntil = "log-counted-until";

/** The id of the counts of the whole registry. */
const everything = "*";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The longest time between an action and its entry. */
const settleMs = 600_000;

/** How often each kind happened on each day (in days since 1970). */
export interface DayCount {
  readonly day: number;
  readonly kind: string;
  readonly count: number;
}

/** What is counted already. */
export interface CountedDays {
  readonly counts: readonly DayCount[];
  /** Entries from this instant on are not among the counts. */
  readonly until: number;
}

/**
 * Counts the hours of the usage log that are over, each once and in a transaction of its own, so that it can be stopped at any
 * moment.
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
async function countNextHour(db: RegistryDb, now: number): Promise<boolean> {
  const said = await findFact(db, countedUntil);
  const from = said === undefined ? 0 : Number(said);
  const first = await db
    .selectFrom("usage_log")
    .select("at")
    .where("at", ">=", from)
    .orderBy("at")
    .limit(1)
    .executeTakeFirst();
  const startAt = Math.max(from, startOfHour(first?.at ?? now));
  const endAt = startAt + hourMs;
  if (endAt > now) {
    if (startAt > from && startAt <= now) await putFact(db, countedUntil, String(startAt));
    return false;
  }
  for (const part of [sql`coalesce(namespace_id, '')`, sql.lit(everything)]) {
    await sql`insert into daily_log_count (namespace_id, day, kind, count)
      select ${part}, ${sql.lit(Math.floor(startAt / dayMs))}, kind, count(*) from usage_log
        where at >= ${startAt} and at < ${endAt} group by 1, kind
      on conflict (namespace_id, day, kind) do update set count = daily_log_count.count + excluded.count`.execute(db);
  }
  await putFact(db, countedUntil, String(endAt));
  return true;
}

function startOfHour(at: number): number {
  return at - (at % hourMs);
}

/** What is counted of some days, from one up to before another, of a namespace or of everything. */
export async function findCountedDays(
  db: RegistryDb,
  {
    first,
    end,
    namespaceId = everything,
  }: { readonly first: number; readonly end: number; readonly namespaceId?: string },
): Promise<CountedDays> {
  for (;;) {
    const until = await findFact(db, countedUntil);
    const counts = await db
      .selectFrom("daily_log_count")
      .select(["day", "kind", "count"])
      .where("namespace_id", "=", namespaceId)
      .where("day", ">=", first)
      .where("day", "<", end)
      .execute();
    if ((await findFact(db, countedUntil)) !== until) continue; // more was counted meanwhile
    return { counts: counts.map((each) => ({ ...each, count: Number(each.count) })), until: Number(until ?? 0) };
  }
}
