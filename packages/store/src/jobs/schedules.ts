import { type Kysely, sql } from "kysely";
import type { Store } from "../store.ts";
import { cancelJob } from "./cancel-job.ts";
import type { JobKind, NoPayload } from "./declare-job.ts";
import { type Clock, insertInto, rowOf } from "./enqueue-job.ts";
import { type JobRow, withJobs } from "./job-tables.ts";

/** A recurring job, as a row or a setting defines it. */
export interface Recurrence<Payload> {
  readonly payload: Payload;
  /** The time from the end of one run to the start of the next, varied by up to a tenth. */
  readonly everyMs: number;
  /** When it runs for the first time; at once if absent or in the past. Epoch milliseconds. */
  readonly startAt?: number;
}

/** A declared schedule. */
export interface Schedule<DB> {
  readonly kind: string;
  /** Adds, changes and removes jobs as the schedule defines. */
  follow(db: Kysely<DB>, clock: Clock): Promise<void>;
}

/**
 * Declares a schedule that is derived from rows, which may be some ten thousand. Workers with the schedule add, change and remove jobs within a
 * minute after the rows change. {@link putRecurrence} and {@link endRecurrence} do so at once, in the transaction that changes the row.
 * @param recurring a kind with a `key`
 * @example
 * import type { Kysely } from "kysely";
 * import { Type } from "typebox";
 *
 * interface Tables {
 *   readonly mirror: { readonly id: string; readonly interval_ms: number };
 * }
 * const syncMirror = job({
 *   kind: "sync-mirror",
 *   payload: Type.Object({ mirrorId: Type.String() }),
 *   key: ({ mirrorId }) => mirrorId,
 *   handle: async ({ payload }) => console.log(payload.mirrorId),
 * });
 * const mirrorSchedule = schedule(syncMirror, async (db: Kysely<Tables>) => {
 *   const mirrors = await db.selectFrom("mirror").selectAll().execute();
 *   return mirrors.map(({ id, interval_ms }) => ({ payload: { mirrorId: id }, everyMs: interval_ms }));
 * });
 */
export function schedule<Payload, DB>(
  recurring: JobKind<Payload>,
  rows: (db: Kysely<DB>) => Promise<readonly Recurrence<Payload>[]>,
): Schedule<DB> {
  return {
    kind: recurring.kind,
    async follow(db, clock) {
      // In this order: a job that is added meanwhile is in `rows` but not in `before`, and is kept.
      const before = await listRecurring(db, recurring.kind);
      const wanted = await rows(db);
      const keys = new Set(wanted.map(({ payload }) => recurring.keyOf(payload)));
      for (const recurrence of wanted) {
        const known = before.get(recurring.keyOf(recurrence.payload) ?? "");
        if (known !== recurrence.everyMs) await putRecurrence({ db, clock }, recurring, recurrence);
      }
      for (const key of before.keys()) if (!keys.has(key)) await cancelJob(db, key);
    },
  };
}

/**
 * Declares that jobs of a kind without payload recur at an interval.
 * @example
 * const sweep = job({ kind: "sweep", handle: async () => console.log("swept") });
 * const schedules = [every(sweep, 3_600_000)]; // for startJobWorker, or followSchedules
 */
export function every(recurring: JobKind<NoPayload>, everyMs: number): Schedule<unknown> {
  return schedule<NoPayload, unknown>(recurring, async () => [{ payload: null, everyMs }]);
}

/**
 * Evaluates schedules: adds, changes and removes jobs as they define. It may be called at every start, on every node.
 * @example
 * declare const store: Store<unknown>;
 * const sweep = job({ kind: "sweep", handle: async () => console.log("swept") });
 * await followSchedules(store, [every(sweep, 3_600_000)], systemTime.clock);
 */
export async function followSchedules<DB>(
  store: Store<DB>,
  schedules: readonly Schedule<DB>[],
  clock: Clock,
): Promise<void> {
  for (const each of schedules) await each.follow(store.db, clock);
}

/**
 * Makes a job recur at an interval. If the interval changes, the next run is moved to this interval after the last one. Call it in the
 * transaction that changes the row.
 * @example
 * import { Type } from "typebox";
 *
 * declare const store: Store<unknown>;
 * const buildTree = job({
 *   kind: "build-tree",
 *   payload: Type.Object({ root: Type.String() }),
 *   key: ({ root }) => root,
 *   handle: async ({ payload }) => console.log(payload.root),
 * });
 * await store.transaction((transaction) =>
 *   putRecurrence({ db: transaction, clock: systemTime.clock }, buildTree, {
 *     payload: { root: "oak" },
 *     everyMs: 86_400_000,
 *   }),
 * );
 */
export async function putRecurrence<Payload, DB>(
  { db, clock }: { readonly db: Kysely<DB>; readonly clock: Clock },
  recurring: JobKind<Payload>,
  { payload, everyMs, startAt }: Recurrence<Payload>,
): Promise<void> {
  const now = clock.now();
  const uniqueKey = recurring.keyOf(payload);
  if (uniqueKey === undefined) throw new TypeError(`${recurring.kind} has no key: only a job with a key can recur`);
  const runAt = Math.max(now, startAt ?? now);
  const row = { ...rowOf(recurring.of(payload, { runAt }), now), every_ms: everyMs, expires_at: null };
  const inserted = await insertInto(db, [row]).returning("id").executeTakeFirst();
  if (inserted !== undefined) return;
  await changeInterval(db, { uniqueKey, everyMs, now });
}

/**
 * Makes a waiting recurring job run now.
 * @example
 * import { Type } from "typebox";
 *
 * declare const store: Store<unknown>;
 * const buildTree = job({
 *   kind: "build-tree",
 *   payload: Type.Object({ root: Type.String() }),
 *   key: ({ root }) => root,
 *   handle: async ({ payload }) => console.log(payload.root),
 * });
 * await hastenRecurrence({ db: store.db, clock: systemTime.clock }, buildTree, { root: "oak" });
 */
export async function hastenRecurrence<Payload, DB>(
  { db, clock }: { readonly db: Kysely<DB>; readonly clock: Clock },
  recurring: JobKind<Payload>,
  payload: Payload,
): Promise<void> {
  const uniqueKey = recurring.keyOf(payload);
  if (uniqueKey === undefined) throw new TypeError(`${recurring.kind} has no key: only a job with a key can recur`);
  const now = clock.now();
  await withJobs(db)
    .updateTable("jobs")
    .set({ due_at: now, turn: now })
    .where("unique_key", "=", uniqueKey)
    .where("is_dead", "=", sql.lit(0)) // as the index says it
    .where("owner", "is", null)
    .where("due_at", ">", now)
    .execute();
}

/**
 * Ends the recurring job of a payload, and cancels its current run.
 * @example
 * import { Type } from "typebox";
 *
 * declare const store: Store<unknown>;
 * const buildTree = job({
 *   kind: "build-tree",
 *   payload: Type.Object({ root: Type.String() }),
 *   key: ({ root }) => root,
 *   handle: async ({ payload }) => console.log(payload.root),
 * });
 * await store.transaction((transaction) => endRecurrence(transaction, buildTree, { root: "oak" }));
 */
export async function endRecurrence<Payload, DB>(
  db: Kysely<DB>,
  recurring: JobKind<Payload>,
  payload: Payload,
): Promise<void> {
  await cancelJob(db, recurring.keyOf(payload));
}

interface Interval {
  readonly uniqueKey: string;
  readonly everyMs: number;
  readonly now: number;
}

async function changeInterval<DB>(db: Kysely<DB>, { uniqueKey, everyMs, now }: Interval): Promise<void> {
  const known = await withJobs(db)
    .selectFrom("jobs")
    .select(["id", "every_ms", "due_at", "owner", "attempts"])
    .where("unique_key", "=", uniqueKey)
    .where("is_dead", "=", sql.lit(0)) // as the index says it
    .executeTakeFirst();
  if (known === undefined || known.every_ms === everyMs) return;
  await withJobs(db)
    .updateTable("jobs")
    .set({ every_ms: everyMs, ...nextRun(known, everyMs, now) })
    .where("id", "=", known.id)
    .where("due_at", "=", known.due_at)
    .execute();
}

/** Moves the next run of a waiting job to `everyMs` after its last one. Running and retried jobs are not changed. */
function nextRun(
  { every_ms, due_at, owner, attempts }: Pick<JobRow, "every_ms" | "due_at" | "owner" | "attempts">,
  everyMs: number,
  now: number,
) {
  if (owner !== null || attempts > 0 || due_at <= now) return {};
  const dueAt = Math.max(now, every_ms === null ? Math.min(due_at, now + everyMs) : due_at - every_ms + everyMs);
  return { due_at: dueAt, turn: dueAt };
}

async function listRecurring<DB>(db: Kysely<DB>, kind: string): Promise<ReadonlyMap<string, number>> {
  const rows = await withJobs(db)
    .selectFrom("jobs")
    .select(["unique_key", "every_ms"])
    .where("kind", "=", kind)
    .where("every_ms", "is not", null)
    .execute();
  return new Map(rows.map(({ unique_key, every_ms }) => [unique_key ?? "", every_ms ?? 0]));
}
