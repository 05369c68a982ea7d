import type { Kysely, Transaction } from "kysely";
import type { Store } from "../store.ts";
import type { Job } from "./job.ts";

/**
 * The events of a job:
 *
 * | event | meaning |
 * | --- | --- |
 * | `enqueued` | it is in the queue; emitted when its transaction has committed |
 * | `started` | an attempt begins |
 * | `succeeded` | it is done |
 * | `failed` | the attempt failed, and another one follows |
 * | `dead` | it is given up: a dead letter |
 * | `expired` | it was stale and not run: a dead letter |
 * | `retried` | a dead letter is back in the queue |
 * | `cancelled` | it was cancelled while it waited, or its attempt ended because of that |
 * | `released` | its worker stopped: it waits as if this attempt had never started |
 * | `lost` | its lease expired before the attempt ended: another worker may have it |
 */
export const jobEventKinds = [
  "enqueued",
  "started",
  "succeeded",
  "failed",
  "dead",
  "expired",
  "retried",
  "cancelled",
  "released",
  "lost",
] as const;

/** One of {@link jobEventKinds}. */
export type JobEventKind = (typeof jobEventKinds)[number];

/** An event of a job. */
export interface JobEvent {
  readonly kind: JobEventKind;
  readonly job: Pick<Job, "id" | "kind" | "attempts" | "maxAttempts" | "dueAt">;
  readonly error?: unknown;
}

/** A listener for events of jobs. */
export type OnJobEvent = (event: JobEvent) => void;

/** The event emitter for the queue of one open database, with the events of this process. Events of a transaction are emitted after its commit. */
export class JobEvents {
  readonly #listeners = new Set<OnJobEvent>();
  readonly #pending = new WeakMap<object, JobEvent[]>();

  /** Adds a listener. @returns a function that removes it */
  listen(listener: OnJobEvent): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Emits events; if `db` is a transaction, after its commit. */
  emit<DB>(db: Kysely<DB>, events: readonly JobEvent[]): void {
    const pending = this.#pending.get(db.getExecutor());
    if (pending === undefined) this.#tellAll(events);
    else pending.push(...events);
  }

  /** Runs a transaction, and emits its events after the commit. */
  async transaction<DB, T>(db: Kysely<DB>, work: (transaction: Transaction<DB>) => Promise<T>): Promise<T> {
    const events: JobEvent[] = [];
    const result = await db.transaction().execute((transaction) => {
      this.#pending.set(transaction.getExecutor(), events);
      return work(transaction);
    });
    this.#tellAll(events);
    return result;
  }

  #tellAll(events: readonly JobEvent[]): void {
    for (const event of events) for (const listener of [...this.#listeners]) listener(event);
  }
}

/** An adapter of Kysely with the event emitter of its database. */
export interface HasJobEvents {
  readonly jobEvents: JobEvents;
}

/**
 * Listens to events of jobs in this process.
 * @returns a function that removes the listener
 * @example
 * declare const store: Store<unknown>;
 * const stop = onJobEvent(store, ({ kind, job }) => console.log(`${job.kind} ${job.id}: ${kind}`));
 * stop();
 */
export function onJobEvent<DB>(store: Store<DB>, listener: OnJobEvent): () => void {
  return jobEventsOf(store.db)?.listen(listener) ?? (() => {});
}

/**
 * Emits events of jobs in `db`, a database or a transaction.
 * @example
 * declare const store: Store<unknown>;
 * const stop = onJobEvent(store, ({ kind, job }) => console.log(`${job.kind}: ${kind}`));
 * const job = { id: "1", kind: "build-tree", attempts: 0, maxAttempts: 12, dueAt: Date.now() };
 * tellJobEvents(store.db, [{ kind: "cancelled", job }]);
 * stop();
 */
export function tellJobEvents<DB>(db: Kysely<DB>, events: readonly JobEvent[]): void {
  if (events.length > 0) jobEventsOf(db)?.emit(db, events);
}

function jobEventsOf<DB>(db: Kysely<DB>): JobEvents | undefined {
  return (db.getExecutor().adapter as Partial<HasJobEvents>).jobEvents;
}
