import { type Clock, type DeclaredJob, type JobAttempt, JobRejected, job } from "@plimsoll/store";
import { Type } from "typebox";
import { type PagePlace, parsePagePlace, readPage } from "./store/notification-pages.ts";
import { deleteSet, findSet, putSetState } from "./store/notification-sets.ts";
import type { NotificationSetTable, NotifierStore } from "./store/tables.ts";
import { kindOf, usualSubscriber } from "./subscribers.ts";
import type { Delivery, Outcome, Transport } from "./transports/transport.ts";
import type { Notification } from "./values/notification.ts";

/** Options of deliveries. */
export interface DeliverOptions {
  readonly store: NotifierStore;
  readonly transport: Transport;
  /** The address of sets, to which the set's id is appended. Direct transports do not need it. */
  readonly callback?: string;
  readonly clock: Clock;
}

/**
 * The kind of jobs that deliver a set of a subscriber. The set's state and the end of the job are written in one transaction after the
 * receiver's confirmation. So a set is delivered again, under the same id, only if this process dies between the two. A set that was sent
 * directly is deleted. A failed delivery is tried again, and finally becomes a dead letter.
 */
export function deliverSetJobOf(subscriber: string): DeclaredJob<{ set: string }, DeliverOptions> {
  // a constant: from the returned type, the compiler would infer a schema, which takes it a second
  const declared = job({
    kind: kindOf("deliver", subscriber),
    payload: Type.Object({ set: Type.String() }),
    key: ({ set }) => set,
    handle: (attempt, options: DeliverOptions) => deliverSet(attempt, options),
  });
  return declared;
}

/** {@link deliverSetJobOf} for the default subscriber. */
export const deliverSetJob: DeclaredJob<{ set: string }, DeliverOptions> = deliverSetJobOf(usualSubscriber);

async function deliverSet(
  { payload: { set: setId }, signal, finishIn }: JobAttempt<{ readonly set: string }>,
  options: DeliverOptions,
): Promise<void> {
  const { store, transport, clock } = options;
  const set = await findSet(store, setId);
  if (set === undefined || set.state === "delivered") return;
  const outcome = await transport.deliver(deliveryOf(options, set), { signal });
  if (outcome.kind !== "delivered") return fail(options, setId, outcome);
  await store.transaction(async (transaction) => {
    if (transport.isDirect) await deleteSet(transaction, setId);
    else await putSetState(transaction, setId, { state: "delivered", changed_at: clock.now(), last_error: null });
    await finishIn(transaction);
  });
}

async function fail(
  { store, clock }: DeliverOptions,
  setId: string,
  { kind, reason }: Exclude<Outcome, { kind: "delivered" }>,
): Promise<never> {
  await putSetState(store.db, setId, { state: "failed", changed_at: clock.now(), last_error: reason });
  throw kind === "rejected" ? new JobRejected(reason) : new Error(reason);
}

function deliveryOf({ store, callback = "" }: DeliverOptions, { id: setId, is_first }: NotificationSetTable): Delivery {
  return {
    setId,
    isFirst: is_first === 1,
    callback: `${callback.replace(/\/?$/, "/")}${setId}`,
    async *lists(size): AsyncGenerator<readonly Notification[]> {
      for (let after: PagePlace | undefined, isLast = false; !isLast; ) {
        const { page, notifications } = await readPage(store, setId, { size, after });
        if (notifications.length > 0) yield notifications;
        after = page.next === undefined ? undefined : parsePagePlace(page.next);
        isLast = after === undefined;
      }
    },
  };
}
