import type { Json } from "@plimsoll/core/report";
import type { Kysely } from "kysely";
import type { Static, TNull, TSchema } from "typebox";
import type { BackOff } from "./back-off.ts";
import { checkPayload, isPayload } from "./check-payload.ts";
import { type Job, NewJob } from "./job.ts";

/**
 * The priority classes of kinds. A worker prefers the more urgent class. `urgent` kinds have their own slots. Neither `normal` nor `bulk`
 * kinds ever fill all the slots that they share.
 */
export const jobPriorities = ["urgent", "normal", "bulk"] as const;

/** One of {@link jobPriorities}. */
export type JobPriority = (typeof jobPriorities)[number];

/** The argument of a handler. */
export interface JobAttempt<Payload = Json> {
  readonly job: Job;
  /** Checked against the schema of the kind. */
  readonly payload: Payload;
  /** Aborted when the job is cancelled, its deadline passes, its lease is lost, or the worker stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the job as part of the handler's own transaction, so that the transaction's effect happens exactly once.
   * @throws StoreError `lock_lost` if the job was cancelled or taken over; the transaction must then fail
   */
  finishIn<DB>(transaction: Kysely<DB>): Promise<void>;
}

/** Rules for running the jobs of a kind. */
export interface JobRules {
  /** Names the kind in rows, logs and metrics: `SERVICE.VERB-NOUN`. Never changes once released. */
  readonly kind: string;
  /** How many run at the same time in one worker. 2 by default. */
  readonly concurrency?: number;
  /** How many run at the same time in all workers of the database. No limit by default. */
  readonly clusterConcurrency?: number;
  /** `normal` by default. */
  readonly priority?: JobPriority;
  /** The deadline of an attempt, after which its signal is aborted and it counts as failed. 3600 by default. */
  readonly timeoutSeconds?: number;
  /** The pauses after failed attempts. {@link usualBackOff} by default. */
  readonly backOff?: BackOff;
  /** 12 by default, which takes about three hours with the usual back-off. */
  readonly maxAttempts?: number;
  /** A job that has been due for longer expires instead of being run. By default, jobs never expire. */
  readonly staleAfterSeconds?: number;
}

/** The unique key and the tenant of jobs of a kind. */
export interface JobIdentity<Payload> {
  /** Only one job with the same key waits or runs. */
  readonly key?: (payload: Payload) => string;
  /** The tenant of a job; tenants take turns. */
  readonly tenant?: (payload: Payload) => string;
}

/** Options of one job: when it runs, if not at once, and its number of attempts. */
export interface JobOptions {
  /** Epoch milliseconds. */
  readonly runAt?: number;
  readonly maxAttempts?: number;
}

/** A cancelled job, for `onCancelled`. */
export interface CancelledJob<Payload> {
  readonly payload: Payload;
  /** The transaction in which the job ends. */
  // biome-ignore lint/suspicious/noExplicitAny: the tables are those of the store that has the queue
  readonly db: Kysely<any>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A job that is given up, for `onGivenUp`. */
export interface GivenUpJob<Payload> extends CancelledJob<Payload> {
  readonly job: Job;
  /** The error of its last attempt, or why it is not run any more. */
  readonly error: string;
}

/** A kind of jobs that can be enqueued. */
export interface JobKind<Payload> extends JobRules {
  /** Whether its jobs have tenants. */
  readonly hasTenants: boolean;
  /** Updates rows about a job that an operator cancels; absent if there are none. */
  readonly onCancelled?: (cancelled: CancelledJob<Payload>) => Promise<void>;
  /** Creates a job of this kind, for `enqueueJob` and `newJobs`. */
  of(payload: Payload, options?: JobOptions): NewJob;
  /** The unique key of the job with that payload. */
  keyOf(payload: Payload): string | undefined;
}

/** A kind of jobs with its handler. */
export interface DeclaredJob<Payload, Context> extends JobKind<Payload> {
  /** Binds the handler to its context, for a worker. */
  withContext(context: Context): RunnableJob;
}

/** A kind of jobs that a worker can run. */
export interface RunnableJob extends JobRules {
  readonly hasTenants: boolean;
  /** @throws JobRejected for a payload that does not match the schema; errors of the handler */
  run(attempt: JobAttempt): Promise<void>;
  /** Updates rows about a job that is given up; absent if there are none. */
  readonly onGivenUp?: (givenUp: GivenUpJob<Json>) => Promise<void>;
}

/** The payload of a kind without a schema. */
export type NoPayload = null;

/** The declaration of a kind. `NoInfer`: to infer a schema from a handler takes the compiler a second in every package. */
export interface JobDeclaration<Schema extends TSchema, Context>
  extends JobRules,
    JobIdentity<NoInfer<Static<Schema>>> {
  /** The schema of the payload; without it, the payload is `null`. */
  readonly payload?: Schema;
  /**
   * Does a job. It is called at least once for each job, and again after a crash, so it must be idempotent or end with
   * {@link JobAttempt.finishIn}. If it throws, the job is tried again later: after {@link JobDelayed}, not before the
   * time that it names. {@link JobRejected} ends it at once.
   */
  handle(attempt: JobAttempt<NoInfer<Static<Schema>>>, context: Context): Promise<void>;
  /**
   * For kinds whose jobs have rows of their own: updates those rows after the job was cancelled. It is called in the same transaction when a
   * job is cancelled by its id, or withdrawn with its kind.
   */
  onCancelled?(cancelled: CancelledJob<NoInfer<Static<Schema>>>): Promise<void>;
  /**
   * For kinds whose jobs have rows of their own: records in those rows that the job has failed finally. It is called in the transaction that
   * ends the job, for any reason: no attempt is left, the deadline of the last one passed, its workers were lost repeatedly, or it was
   * stale. Recurring jobs are never given up.
   */
  onGivenUp?(givenUp: GivenUpJob<NoInfer<Static<Schema>>>, context: Context): Promise<void>;
}

/**
 * Declares a kind of jobs: its payload, its rules and its handler. Only declared kinds can be enqueued.
 * @example
 * import { Type } from "typebox";
 *
 * interface ShopContext {
 *   readonly carrier: { ship(order: string, options: { readonly signal: AbortSignal }): Promise<void> };
 * }
 * declare const store: Store<unknown>;
 * declare const carrier: ShopContext["carrier"];
 * const shipOrder = job({
 *   kind: "shop.ship-order",
 *   payload: Type.Object({ order: Type.String() }),
 *   key: ({ order }) => order,
 *   timeoutSeconds: 60,
 *   handle: async ({ payload, signal }, { carrier }: ShopContext) => carrier.ship(payload.order, { signal }),
 * });
 * await enqueueJob(store.db, shipOrder.of({ order: "17" }), systemTime.clock);
 * const worker = startJobWorker({ store, jobs: [shipOrder.withContext({ carrier })], ...systemTime });
 */
export function job<Schema extends TSchema = TNull, Context = unknown>(
  declaration: JobDeclaration<Schema, Context>,
): DeclaredJob<Static<Schema>, Context> {
  const { payload, handle, onCancelled, onGivenUp } = declaration;
  const kind: JobKind<Static<Schema>> = {
    ...kindOf<Static<Schema>>(declaration),
    ...(onCancelled !== undefined && {
      async onCancelled(cancelled) {
        const isKnown = payload === undefined || (await isPayload(payload, cancelled.payload));
        if (isKnown) await onCancelled(cancelled); // another release may have written a row with another payload
      },
    }),
  };
  return {
    ...kind,
    withContext: (context) => ({
      ...runnable(kind, payload, (attempt) => handle(attempt, context)),
      ...(onGivenUp !== undefined && {
        async onGivenUp(givenUp) {
          const isKnown = payload === undefined || (await isPayload(payload, givenUp.payload));
          if (isKnown) await onGivenUp(givenUp as GivenUpJob<Static<Schema>>, context);
        },
      }),
    }),
  };
}

const usualMaxAttempts = 12;

function kindOf<Payload>(declaration: JobRules & JobIdentity<Payload>): JobKind<Payload> {
  const { key, tenant, maxAttempts = usualMaxAttempts, staleAfterSeconds } = declaration;
  const keyOf = (payload: Payload) => (key === undefined ? undefined : jobKeyOf(declaration.kind, key(payload)));
  return {
    ...rulesOf(declaration),
    hasTenants: tenant !== undefined,
    keyOf,
    of: (payload, options = {}) =>
      new NewJob({
        kind: declaration.kind,
        payload: payload as Json,
        uniqueKey: keyOf(payload),
        tenant: tenant?.(payload) ?? "",
        maxAttempts: options.maxAttempts ?? maxAttempts,
        staleAfterSeconds,
        runAt: options.runAt,
      }),
  };
}

/**
 * The unique key of a job, for those that know its kind by name only. Keys of different kinds never collide.
 * @param key of its payload, as the declaration's `key` returns it
 * @example
 * jobKeyOf("shop.sweep", "north"); // "shop.sweep:north"
 */
export function jobKeyOf(kind: string, key: string): string {
  return key === "" ? kind : `${kind}:${key}`;
}

function rulesOf(declaration: JobRules): JobRules {
  const { kind, concurrency, clusterConcurrency, priority, timeoutSeconds } = declaration;
  const { backOff, maxAttempts, staleAfterSeconds } = declaration;
  return {
    kind,
    concurrency,
    clusterConcurrency,
    priority,
    timeoutSeconds,
    backOff,
    maxAttempts,
    staleAfterSeconds,
  };
}

function runnable<Payload>(
  kind: JobKind<Payload>,
  schema: TSchema | undefined,
  handle: (attempt: JobAttempt<Payload>) => Promise<void>,
): RunnableJob {
  return {
    ...rulesOf(kind),
    hasTenants: kind.hasTenants,
    async run(attempt) {
      if (schema !== undefined) await checkPayload(kind.kind, schema, attempt.payload);
      await handle(attempt as JobAttempt<Payload>);
    },
  };
}
