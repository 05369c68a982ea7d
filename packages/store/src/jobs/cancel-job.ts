import { type Kysely, sql } from "kysely";
import type { Store } from "../store.ts";
import type { JobKind } from "./declare-job.ts";
import type { Clock } from "./enqueue-job.ts";
import { tellJobEvents } from "./job-events.ts";
import { type JobRow, withJobs } from "./job-tables.ts";

/** What is needed of the row of a job that is cancelled. */
const columns = ["id", "kind", "payload", "due_at", "attempts", "max_attempts", "owner"] as const;
type CancelledRow = Pick<JobRow, (typeof columns)[number]>;

/** A kind, whatever its payload is. */
// biome-ignore lint/suspicious/noExplicitAny: its payload is read from a row that was written as the kind says
export type AnyJobKind = Pick<JobKind<any>, "kind" | "onCancelled">;

/**
 * Removes the job that waits or runs under a unique key. The signal of a running attempt is aborted within a second, on
 * whichever node it runs, and nothing comes after it. A recurring job does not come back until it is scheduled again. The caller puts
 * right what its own rows say of the job.
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
    .where("is_dead", "=", sql.lit(0)) // as the index says it
    .returning(columns)
    .execute();
  tellCancelled(db, removed);
}

/** Who cancels a job by its id. */
export interface CancelJobOptions {
  readonly clock: Clock;
  /** The kinds whose rows are put right. */
  readonly kinds: readonly AnyJobKind[];
}

/**
 * Cancels a job that waits or runs: it is removed, what rows of its kind say of it is put right, and the signal of its attempt is
 * aborted within a second on whichever node it runs. A recurring job skips this turn and waits for its next one.
 * @param db a transaction
 * @returns false when there is no such job, or it is dead
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
  await putRight(db, [skipped], { kinds, now });
  if (removed !== undefined) tellCancelled(db, [removed]);
  return true;
}

/** So many jobs are withdrawn in one transaction. */
const stepLength = 500;

/**
 * Removes all jobs of some kinds, dead letters included, as {@link cancelJobById} would. Can be stopped and started again at any
 * moment.
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
      await putRight(db, removed, { kinds, now: clock.now() });
      return removed.length;
    });
  }
}

async function putRight<DB>(
  db: Kysely<DB>,
  rows: readonly CancelledRow[],
  { kinds, now }: { readonly kinds: readonly AnyJobKind[]; readonly now: number },
): Promise<void> {
  for (const { kind, payload } of rows) {
    const onCancelled = kinds.find((each) => each.kind === kind)?.onCancelled;
    await onCancelled?.({ payload: JSON.parse(payload), db, now });
  }
}

/** Tells of jobs that were cancelled while they waited; of those that run, their worker tells when they have ended. */
function tellCancelled<DB>(db: Kysely<DB>, rows: readonly CancelledRow[]): void {
  const waiting = rows.filter(({ owner }) => owner === null);
  tellJobEvents(
    db,
    waiting.map(({ id, kind, due_at, attempts, max_attempts }) => {
      const job = { id, kind, dueAt: due_at, attempts, maxAttempts: max_attempts };
      return { kind: "cancelled", job };
    }),
  );
}
