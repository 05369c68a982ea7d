import type { Kysely, Transaction } from "kysely";
import type { Store } from "../store.ts";
import type { Job } from "./job.ts";

/**
 * What happens to a job:
 *
 * | event | meaning |
 * | --- | --- |
 * | `enqueued` | it is in the queue; told when its transaction has committed |
 * | `started` | an attempt begins |
 * | `succeeded` | it is done |
 * | `failed` | the attempt failed, and another one follows |
 * | `dead` | it is given up: a dead letter |
 * | `expired` | it was too old to be run: a dead letter |
 * | `retried` | a dead letter is back in the queue |
 * | `cancelled` | it was cancelled while it waited, or its attempt ended for that |
 * | `released` | its worker stopped: it waits as if this attempt had never begun |
 * | `lost` | its lease ran out before the attempt ended: another worker has it |
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

/** Something that happened to a job. */
export interface JobEvent {
  readonly kind: JobEventKind;
  readonly job: Pick<Job, "id" | "kind" | "attempts" | "maxAttempts" | "dueAt">;
  readonly error?: unknown;
}

/** Is told of events. */
export type OnJobEvent = (event: JobEvent) => void;

/** Tells the listeners of one open database what this process does to its queue; of a transaction once it has committed. */
export class JobEvents {
  readonly #listeners = new Set<OnJobEvent>();
  readonly #pending = new WeakMap<object, JobEvent[]>();

  /** @returns ends the listening */
  listen(listener: OnJobEvent): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells of events, or remembers them until the transaction that `db` is has committed. */
  tell<DB>(db: Kysely<DB>, events: readonly JobEvent[]): void {
    const pending = this.#pending.get(db.getExecutor());
    if (pending === undefined) this.#tellAll(events);
    else pending.push(...events);
  }

  /** Runs a transaction, and tells of its events when it has committed. */
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

/** An adapter of Kysely that knows the events of its database. */
export interface TellsJobEvents {
  readonly jobEvents: JobEvents;
}

/**
 * Listens to what this process does to the queue of a store.
 * @returns ends the listening
 * @example
 * declare const store: Store<unknown>;
 * const stop = onJobEvent(store, ({ kind, job }) => console.log(`${job.kind} ${job.id}: ${kind}`));
 * stop();
 */
export function onJobEvent<DB>(store: Store<DB>, listener: OnJobEvent): () => void {
  return jobEventsOf(store.db)?.listen(listener) ?? (() => {});
}

/**
 * Tells of events of the queue in `db`, a database or a transaction.
 * @example
 * declare const store: Store<unknown>;
 * const stop = onJobEvent(store, ({ kind, job }) => console.log(`${job.kind}: ${kind}`));
 * const job = { id: "1", kind: "build-tree", attempts: 0, maxAttempts: 12, dueAt: Date.now() };
 * tellJobEvents(store.db, [{ kind: "cancelled", job }]);
 * stop();
 */
export function tellJobEvents<DB>(db: Kysely<DB>, events: readonly JobEvent[]): void {
  if (events.length > 0) jobEventsOf(db)?.tell(db, events);
}

function jobEventsOf<DB>(db: Kysely<DB>): JobEvents | undefined {
  return (db.getExecutor().adapter as Partial<TellsJobEvents>).jobEvents;
}
