import { randomUUID } from "node:crypto";
import type { Json } from "@plimsoll/core/report";
import { type GivenUpJob, type JobAttempt, job } from "@plimsoll/store";
import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import type { RegistrySettings } from "../settings.ts";
import type { NewRow, RegistryDb } from "../store/tables/all.ts";
import type { Delivery } from "./delivery.ts";
import { DeliveryFailed } from "./delivery-failed.ts";
import { matchesEventConfig, openConfig } from "./event-config.ts";
import type { MethodConfig, NotificationMethod } from "./notification-methods.ts";
import {
  countFailure,
  findReceiver,
  insertUserNotices,
  listContacts,
  listNoticeReaders,
  type NoticeTarget,
  recordDelivery,
} from "./queries/deliveries.ts";
import { clearFailures, maxFailures, type RepositoryEvent } from "./queries/notifications.ts";
import { sendEvent } from "./send-event.ts";
import { summarizeEvent } from "./summarize-event.ts";

/** What delivering events needs. */
interface DeliveryDeps extends Pick<Deps, "store" | "clock" | "outgoing" | "mailer" | "secrets"> {
  readonly settings: Pick<RegistrySettings, "title">;
  /** Of a request; by default `AbortSignal.timeout`. */
  readonly timeout?: (delayMs: number) => AbortSignal;
}

/** An event for one notification. */
export interface EventForNotification {
  readonly notificationId: string;
  readonly event: { readonly [name: string]: unknown };
  /** Whether it is a test by an admin: then filters are ignored. */
  readonly isTest?: boolean;
}

/** How long a receiver may take to respond. */
const patienceMs = 10_000;

/** How long a mail server may take to accept a message: some keep a sender waiting on purpose. It is less than an attempt has. */
const mailPatienceMs = 50_000;

type Receiver = NonNullable<Awaited<ReturnType<typeof findReceiver>>>;

/** Delivers one event to one receiver. Events that are older than a day are not delivered. */
export const deliverNotificationJob = job({
  kind: "registry.deliver-notification",
  payload: Type.Object({
    notificationId: Type.String(),
    event: Type.Record(Type.String(), Type.Unknown()),
    isTest: Type.Optional(Type.Boolean()),
  }),
  tenant: ({ event: { namespace } }) => String(namespace ?? ""),
  concurrency: 8,
  timeoutSeconds: 60,
  maxAttempts: 5,
  backOff: { firstMs: 30_000, longestMs: 600_000 },
  staleAfterSeconds: 86_400,
  handle: (attempt, deps: DeliveryDeps) => deliverEvent(attempt, deps),
  onGivenUp: giveUpDelivery,
});

/**
 * Delivers one event to one receiver, at least once, and stores the result. A failed attempt is counted and retried until the
 * notification has failed too often, or {@link giveUpDelivery} ends it.
 * @throws DeliveryFailed if there should be another attempt
 */
async function deliverEvent(attempt: JobAttempt<EventForNotification>, deps: DeliveryDeps): Promise<void> {
  const { payload } = attempt;
  const receiver = await findReceiver(deps.store.db, payload.notificationId);
  if (receiver === undefined) return;
  if (!isWanted(receiver, payload)) return;
  const delivery = await deliveryOf(receiver, attempt, deps);
  const end = { attempt, receiver, delivery };
  if (receiver.failures >= maxFailures) {
    const detail = `not sent: the notification has failed ${receiver.failures} times, and its count was not reset`;
    return finish(deps, end, { state: "dropped", detail });
  }
  try {
    await finish(deps, end, { state: "delivered", detail: await send(receiver, attempt, { delivery, deps }) });
  } catch (error) {
    if (!(error instanceof DeliveryFailed) || attempt.signal.aborted) throw error;
    const isLast = receiver.failures + 1 >= maxFailures;
    await finish(deps, end, { state: isLast ? "failed" : "retrying", detail: error.message });
    if (!isLast) throw error;
  }
}

/** Stores that a delivery is not retried. */
async function giveUpDelivery(givenUp: GivenUpJob<EventForNotification>): Promise<void> {
  const { db, job, payload, error, now } = givenUp;
  const receiver = await findReceiver(db, payload.notificationId);
  if (receiver === undefined || !isWanted(receiver, payload)) return;
  await recordDelivery(db, rowOf({ job, payload, state: "failed", detail: error, now }));
}

/** Whether an event passes the filters of a notification. */
function isWanted({ event, event_config }: Receiver, { isTest, event: members }: EventForNotification): boolean {
  const filters = JSON.parse(event_config) as MethodConfig;
  return isTest === true || matchesEventConfig(event as RepositoryEvent, filters, members as Delivery["members"]);
}

async function deliveryOf(
  receiver: Receiver,
  { job, payload }: JobAttempt<EventForNotification>,
  { store, clock, secrets }: DeliveryDeps,
): Promise<Delivery> {
  const { event, secret_sealed, method, namespace_id } = receiver;
  const config = openConfig(secrets, receiver.config) ?? {};
  const isToContacts = method === "email" && namespace_id !== null;
  return {
    id: job.id,
    event: event as RepositoryEvent,
    members: payload.event as { readonly [name: string]: Json | undefined },
    config,
    addresses: isToContacts ? await listContacts(store.db, namespace_id) : [String(config.email)],
    secret: secret_sealed === null ? undefined : secrets.open(secret_sealed),
    now: clock.now(),
  };
}

async function send(
  { method, config }: Receiver,
  { signal }: JobAttempt<EventForNotification>,
  { delivery, deps }: { readonly delivery: Delivery; readonly deps: DeliveryDeps },
): Promise<string> {
  if (openConfig(deps.secrets, config) === undefined)
    throw new DeliveryFailed("its configuration was encrypted with another secretKey: create the notification again");
  if (method === "quay_notification") return "shown in the registry";
  const { outgoing, mailer, settings, timeout = AbortSignal.timeout } = deps;
  const within = AbortSignal.any([signal, timeout(method === "email" ? mailPatienceMs : patienceMs)]);
  const sending = { outgoing, mailer, title: settings.title, signal: within };
  return sendEvent(method as Exclude<NotificationMethod, "quay_notification">, delivery, sending);
}

interface Ending {
  readonly attempt: JobAttempt<EventForNotification>;
  readonly receiver: Receiver;
  readonly delivery: Delivery;
}

/** Stores the result of an attempt, and ends the job in the same transaction unless it is retried. */
async function finish(
  { store }: DeliveryDeps,
  { attempt, receiver, delivery }: Ending,
  { state, detail }: Pick<DeliveryState, "state" | "detail">,
): Promise<void> {
  const { job, payload, finishIn } = attempt;
  await store.transaction(async (db) => {
    if (state === "delivered") await clearFailures(db, receiver.id);
    else if (state !== "dropped") await countFailure(db, receiver.id);
    if (state === "delivered" && receiver.method === "quay_notification") await showNotice(db, receiver, delivery);
    await recordDelivery(db, rowOf({ job, payload, state, detail, now: delivery.now }));
    if (state !== "retrying") await finishIn(db);
  });
}

interface DeliveryState extends Pick<JobAttempt<EventForNotification>, "job" | "payload"> {
  readonly state: "delivered" | "retrying" | "failed" | "dropped";
  readonly detail: string;
  readonly now: number;
}

function rowOf({ job, payload, state, detail, now }: DeliveryState): NewRow<"event_delivery"> {
  return {
    id: job.id,
    notification_id: payload.notificationId,
    is_test: payload.isTest ? 1 : 0,
    payload: JSON.stringify(payload.event),
    state,
    attempts: job.attempts,
    detail,
    began_at: job.createdAt,
    changed_at: now,
  };
}

async function showNotice(
  db: RegistryDb,
  receiver: Receiver,
  { event, members, config, now }: Delivery,
): Promise<void> {
  const readers = await listNoticeReaders(db, receiver.ownerId, config.target as NoticeTarget);
  const metadata = JSON.stringify({ ...members, event, message: summarizeEvent(event, members).text });
  const shared = { kind: event, metadata, about_id: null, from_bytes: null, dismissed: 0 as const, created_at: now };
  await insertUserNotices(
    db,
    readers.map((account_id) => ({ id: randomUUID(), account_id, ...shared })),
  );
}
