import { oneAtATime } from "@plimsoll/store";
import { sql } from "kysely";
import { findFact, putFact } from "../../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";

/** The name of the fact that holds the first instant whose entries are not counted yet, in epoch milliseconds. */
const countedUntilFact = "log-counted-until";

/** The namespace id under which the counts of the whole registry are stored. */
const everything = "*";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The longest time between an action and its entry. */
const settleMs = 600_000;

/** How many entries of a kind a day has. The day is the number of days since 1970. */
export interface DayCount {
  readonly day: number;
  readonly kind: string;
  readonly count: number;
}

/** The stored counts of some days. */
export interface CountedDays {
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
export async function findCountedDays(
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
