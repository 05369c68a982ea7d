import type { Json } from "@plimsoll/core";
import type { Kysely } from "kysely";
import type { Static, TNull, TSchema } from "typebox";
import type { BackOff } from "./back-off.ts";
import { checkPayload, isPayload } from "./check-payload.ts";
import { type Job, NewJob } from "./job.ts";

/**
 * Classes of kinds. A worker prefers the more urgent class. `urgent` kinds have slots of their own; neither `normal` nor `bulk`
 * kinds ever fill all the slots that they share.
 */
export const jobPriorities = ["urgent", "normal", "bulk"] as const;

/** One of {@link jobPriorities}. */
export type JobPriority = (typeof jobPriorities)[number];

/** What a handler is given. */
export interface JobAttempt<Payload = Json> {
  readonly job: Job;
  /** Checked against the schema of the kind. */
  readonly payload: Payload;
  /** Aborted when the job is cancelled, its deadline has passed, its lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /**
   * Ends the job as part of the handler's own transaction, so that its effect there happens exactly once.
   * @throws StoreError `lock_lost` when the job was cancelled or taken over; the transaction must then fail
   */
  finishIn<DB>(transaction: Kysely<DB>): Promise<void>;
}

/** How jobs of a kind are run. */
export interface JobRules {
  /** Names the kind in rows, logs and metrics: `SERVICE.VERB-NOUN`. Never changes once released. */
  readonly kind: string;
  /** How many run at the same time in one worker. 2 where absent. */
  readonly concurrency?: number;
  /** How many run at the same time in all workers of the database. No limit where absent. */
  readonly clusterConcurrency?: number;
  /** `normal` where absent. */
  readonly priority?: JobPriority;
  /** The deadline of an attempt: its signal is aborted, and it counts as failed. 3600 where absent. */
  readonly timeoutSeconds?: number;
  /** How long failed attempts wait. {@link usualBackOff} where absent. */
  readonly backOff?: BackOff;
  /** 12 where absent: with the usual back-off about three hours. */
  readonly maxAttempts?: number;
  /** A job that has been due for so long is not run any more: it expires. Jobs never expire where absent. */
  readonly staleAfterSeconds?: number;
}

/** Which jobs of a kind are the same, and whose they are. */
export interface JobIdentity<Payload> {
  /** Of jobs with the same key only one waits or runs. */
  readonly key?: (payload: Payload) => string;
  /** Whose job it is: tenants take turns. */
  readonly tenant?: (payload: Payload) => string;
}

/** When a job runs, where that is not at once, and how often. */
export interface JobOptions {
  /** Epoch milliseconds. */
  readonly runAt?: number;
  readonly maxAttempts?: number;
}

/** What a cancelled job leaves to do. */
export interface CancelledJob<Payload> {
  readonly payload: Payload;
  /** The transaction in which the job ends. */
  // biome-ignore lint/suspicious/noExplicitAny: the tables are those of the store that has the queue
  readonly db: Kysely<any>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A job that is not tried again. */
export interface GivenUpJob<Payload> extends CancelledJob<Payload> {
  readonly job: Job;
  /** What became of its last attempt, or why it is not run any more. */
  readonly error: string;
}

/** A kind of jobs that can be enqueued. */
export interface JobKind<Payload> extends JobRules {
  /** Whether its jobs have tenants. */
  readonly hasTenants: boolean;
  /** Puts right what rows say of a job that an operator cancels; absent where no row does. */
  readonly onCancelled?: (cancelled: CancelledJob<Payload>) => Promise<void>;
  /** A job of this kind, for `enqueueJob` and `newJobs`. */
  of(payload: Payload, options?: JobOptions): NewJob;
  /** The unique key of the job with that payload. */
  keyOf(payload: Payload): string | undefined;
}

/** A kind of jobs with its handler and what the handler needs. */
export interface DeclaredJob<Payload, Context> extends JobKind<Payload> {
  /** The kind as a worker runs it. */
  withContext(context: Context): RunnableJob;
}

/** A kind of jobs that a worker can run. */
export interface RunnableJob extends JobRules {
  readonly hasTenants: boolean;
  /** @throws JobRejected for a payload that does not match the schema; whatever the handler throws */
  run(attempt: JobAttempt): Promise<void>;
  /** Puts right what rows say of a job that is not tried again; absent where no row does. */
  readonly onGivenUp?: (givenUp: GivenUpJob<Json>) => Promise<void>;
}

/** The payload where a declaration names no schema. */
export type NoPayload = null;

/** The declaration of a kind. */
export interface JobDeclaration<Schema extends TSchema, Context> extends JobRules, JobIdentity<Static<Schema>> {
  /** What the payload looks like; jobs without one have `null`. */
  readonly payload?: Schema;
  /**
   * Does a job. It is called at least once for each, again after a crash: it must be idempotent, or end with
   * {@link JobAttempt.finishIn}. When it throws, the job is tried again later; {@link JobRejected} ends it at once.
   */
  handle(attempt: JobAttempt<Static<Schema>>, context: Context): Promise<void>;
  /**
   * For kinds whose jobs are told of by rows of their own: brings those rows into the state that their owners see after cancelling.
   * Where a job is cancelled by its id, or withdrawn with its kind, this is part of the same transaction.
   */
  onCancelled?(cancelled: CancelledJob<Static<Schema>>): Promise<void>;
  /**
   * For kinds whose jobs are told of by rows of their own: says in those rows that the job has failed for good. It is part of the transaction
   * that ends the job, for whatever reason: no attempt is left, the deadline of the last one passed, its workers were lost again and again, or
   * it had waited for too long. Jobs that recur are never given up.
   */
  onGivenUp?(givenUp: GivenUpJob<Static<Schema>>, context: Context): Promise<void>;
}

/**
 * Declares a kind of jobs: what its payload is, how it is run and what does it. Only declared kinds can be enqueued.
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
        if (isKnown) await onCancelled(cancelled); // a row that another release wrote may have another payload
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
  const keyOf = (payload: Payload) => (key === undefined ? undefined : uniqueKeyOf(declaration.kind, key(payload)));
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

/** Keys of different kinds never meet. */
function uniqueKeyOf(kind: string, key: string): string {
  return key === "" ? kind : `${kind}:${key}`;
}

function rulesOf(declaration: JobRules): JobRules {
  const { kind, concurrency, clusterConcurrency, priority, timeoutSeconds } = declaration;
  const { backOff, maxAttempts, staleAfterSeconds } = declaration;
  return {
    kind,
    ...(concurrency !== undefined && { concurrency }),
    ...(clusterConcurrency !== undefined && { clusterConcurrency }),
    ...(priority !== undefined && { priority }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(backOff !== undefined && { backOff }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(staleAfterSeconds !== undefined && { staleAfterSeconds }),
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
