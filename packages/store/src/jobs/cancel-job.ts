import { type Kysely, sql } from "kysely";
import type { Store } from "../store.ts";
import type { JobKind } from "./declare-job.ts";
import type { Clock } from "./enqueue-job.ts";
import { tellJobEvents } from "./job-events.ts";
import { type JobRow, withJobs } from "./job-tables.ts";

/** The needed columns of a cancelled job. */
const columns = ["id", "kind", "payload", "due_at", "attempts", "max_attempts", "owner"] as const;
type CancelledRow = Pick<JobRow, (typeof columns)[number]>;

/** A kind with any payload. */
// biome-ignore lint/suspicious/noExplicitAny: the payload is read from a row that was written by the same kind
export type AnyJobKind = Pick<JobKind<any>, "kind" | "onCancelled">;

/**
 * Removes the waiting or running job with a unique key. The signal of a running attempt is aborted within a second, on any node, and no
 * other attempt follows. A recurring job does not run until it is scheduled again. The caller updates its own rows about the job.
 * @param uniqueKey `keyOf` of its kind
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
 * await store.transaction((transaction) => cancelJob(transaction, buildTree.keyOf({ root: "oak" })));
 */
export async function cancelJob<DB>(db: Kysely<DB>, uniqueKey: string | undefined): Promise<void> {
  if (uniqueKey === undefined) return;
  const removed = await withJobs(db)
    .deleteFrom("jobs")
    .where("unique_key", "=", uniqueKey)
    .where("is_dead", "=", sql.lit(0)) // a literal, to match the partial index
    .returning(columns)
    .execute();
  emitCancelled(db, removed);
}

/** Options of {@link cancelJobById}. */
export interface CancelJobOptions {
  readonly clock: Clock;
  /** The kinds whose `onCancelled` is called. */
  readonly kinds: readonly AnyJobKind[];
}

/**
 * Cancels a waiting or running job: it is removed, `onCancelled` of its kind is called, and the signal of its attempt is aborted within a
 * second, on any node. A recurring job skips this run and waits for its next one.
 * @param db a transaction
 * @returns false if there is no such job, or it is dead
 * @example
 * declare const store: Store<unknown>;
 * declare const kinds: readonly AnyJobKind[];
 * declare const id: string;
 * const wasThere = await store.transaction((transaction) =>
 *   cancelJobById(transaction, id, { clock: systemTime.clock, kinds }),
 * );
 */
export async function cancelJobById<DB>(
  db: Kysely<DB>,
  id: string,
  { clock, kinds }: CancelJobOptions,
): Promise<boolean> {
  const now = clock.now();
  const jobs = withJobs(db);
  const removed = await jobs
    .deleteFrom("jobs")
    .where("id", "=", id)
    .where("is_dead", "=", 0)
    .where("every_ms", "is", null)
    .returning(columns)
    .executeTakeFirst();
  const skipped =
    removed ??
    (await jobs
      .updateTable("jobs")
      .set(({ eb, ref }) => ({
        owner: null,
        attempts: 0,
        due_at: eb(ref("every_ms").$notNull(), "+", now),
        turn: eb(ref("every_ms").$notNull(), "+", now),
      }))
      .where("id", "=", id)
      .where("is_dead", "=", 0)
      .returning(columns)
      .executeTakeFirst());
  if (skipped === undefined) return false;
  await callOnCancelled(db, [skipped], { kinds, now });
  if (removed !== undefined) emitCancelled(db, [removed]);
  return true;
}

/** How many jobs are withdrawn in one transaction. */
const stepLength = 500;

/**
 * Removes all jobs of some kinds, including dead letters, as {@link cancelJobById} does. It can be interrupted and repeated at any time.
 * @example
 * declare const store: Store<unknown>;
 * declare const retiredKinds: readonly AnyJobKind[];
 * await withdrawJobs(store, retiredKinds, systemTime.clock);
 */
export async function withdrawJobs<DB>(store: Store<DB>, kinds: readonly AnyJobKind[], clock: Clock): Promise<void> {
  if (kinds.length === 0) return;
  const names = kinds.map(({ kind }) => kind);
  for (let length = stepLength; length === stepLength; ) {
    length = await store.transaction(async (db) => {
      const some = withJobs(db).selectFrom("jobs").select("id").where("kind", "in", names).limit(stepLength);
      const removed = await withJobs(db).deleteFrom("jobs").where("id", "in", some).returning(columns).execute();
      await callOnCancelled(db, removed, { kinds, now: clock.now() });
      return removed.length;
    });
  }
}

async function callOnCancelled<DB>(
  db: Kysely<DB>,
  rows: readonly CancelledRow[],
  { kinds, now }: { readonly kinds: readonly AnyJobKind[]; readonly now: number },
): Promise<void> {
  for (const { kind, payload } of rows) {
    const onCancelled = kinds.find((each) => each.kind === kind)?.onCancelled;
    await onCancelled?.({ payload: JSON.parse(payload), db, now });
  }
}

/** Emits events for waiting jobs that were cancelled. The worker of a running job emits its event when the attempt has ended. */
function emitCancelled<DB>(db: Kysely<DB>, rows: readonly CancelledRow[]): void {
  const waiting = rows.filter(({ owner }) => owner === null);
  tellJobEvents(
    db,
    waiting.map(({ id, kind, due_at, attempts, max_attempts }) => {
      const job = { id, kind, dueAt: due_at, attempts, maxAttempts: max_attempts };
      return { kind: "cancelled", job };
    }),
  );
}
