import { enqueueJob, listJobs, retryDeadJob, runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, startWebhookReceiver, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { deliverSetJob } from "./deliver-set.ts";
import { vulnerabilityOf } from "./fixtures/fake-sources.ts";
import { openNotifierStore } from "./fixtures/notifier-store.ts";
import { createNotificationService } from "./notification-service.ts";
import { findSet, insertSet } from "./store/notification-sets.ts";
import type { NotifierStore } from "./store/tables.ts";
import type { Outcome, Transport } from "./transports/transport.ts";
import { webhookTransport } from "./transports/webhook.ts";
import { summarize } from "./values/notification.ts";

const setId = "1b4d6a54-8a0b-4d7e-8f43-2f0d2b6f9c11";
const callback = "https://scanner.example/notifier/api/v1/notification";

/** A transport with prepared outcomes, of which the last repeats. It records its deliveries. */
function fakeTransport({ isDirect }: { readonly isDirect: boolean }, ...outcomes: readonly Outcome[]) {
  const sent: unknown[] = [];
  const left = [...outcomes];
  const transport: Transport = {
    name: "fake",
    isDirect,
    async deliver(delivery) {
      const lists = [];
      if (isDirect) for await (const list of delivery.lists(2)) lists.push(list.map(({ manifest }) => manifest));
      sent.push(isDirect ? lists : delivery.callback);
      return (left.length > 1 ? left.shift() : left[0]) ?? { kind: "delivered" };
    },
  };
  return { transport, sent };
}

async function queueSet(store: NotifierStore, { clock }: ReturnType<typeof fakeTime>): Promise<void> {
  const vulnerability = summarize(vulnerabilityOf("A", "expat"));
  const notifications = [1, 2, 3].map((number) => ({
    manifest: `sha256:${number}`,
    reason: "added" as const,
    vulnerability,
  }));
  const operation = { ref: "op1", updater: "feed", date: "2026-01-01T00:00:00Z" };
  await store.transaction(async (transaction) => {
    await insertSet(transaction, {
      id: setId,
      subscriber: "transport",
      operation,
      notifications,
      createdAt: clock.now(),
    });
    await enqueueJob(transaction, deliverSetJob.of({ set: setId }, { maxAttempts: 3 }), clock);
  });
}

/** Lets the queue run for some hours. */
async function run(store: NotifierStore, transport: Transport, time: ReturnType<typeof fakeTime>): Promise<void> {
  const jobs = [deliverSetJob.withContext({ store, transport, callback, clock: time.clock })];
  for (let hour = 0; hour < 5; hour++) {
    await runDueJobs({ store, jobs, ...time });
    time.advance(3_600_000);
  }
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "deliverSet on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("sends the receiver the URL of the set once, and keeps the set", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const time = fakeTime();
      const { transport, sent } = fakeTransport({ isDirect: false });
      await queueSet(store, time);
      const began = time.clock.now();

      await run(store, transport, time);

      expect(sent).toEqual([`${callback}/${setId}`]);
      expect(await findSet(store, setId)).toMatchObject({ state: "delivered", changed_at: began, last_error: null });
      expect(await listJobs(store.db)).toEqual([]);
      expect((await createNotificationService(store).getPage(setId)).page.size).toBe(3);
    });

    test("does not deliver a set again, however often it is queued", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const time = fakeTime();
      const { transport, sent } = fakeTransport({ isDirect: false });
      await queueSet(store, time);
      await run(store, transport, time);
      const before = await findSet(store, setId);

      await enqueueJob(store.db, deliverSetJob.of({ set: setId }), time.clock);
      await run(store, transport, time);

      expect(sent).toHaveLength(1);
      expect(await findSet(store, setId)).toEqual(before);
      expect(await listJobs(store.db)).toEqual([]);
    });

    test("removes a set that was sent directly", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const time = fakeTime();
      const { transport, sent } = fakeTransport({ isDirect: true });
      await queueSet(store, time);

      await run(store, transport, time);

      expect(sent).toEqual([[["sha256:1", "sha256:2"], ["sha256:3"]]]);
      expect(await findSet(store, setId)).toBeUndefined();
      expect(await store.db.selectFrom("notification").select("id").execute()).toEqual([]);
    });

    test("retries a failed delivery, and records why it failed", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const time = fakeTime();
      await queueSet(store, time);
      const failing = fakeTransport({ isDirect: false }, { kind: "retry", reason: "no answer" });
      await runDueJobs({
        store,
        jobs: [deliverSetJob.withContext({ store, transport: failing.transport, callback, clock: time.clock })],
        ...time,
      });

      const meanwhile = await findSet(store, setId);
      const { transport, sent } = fakeTransport(
        { isDirect: false },
        { kind: "retry", reason: "no answer" },
        { kind: "delivered" },
      );
      time.advance(3_600_000);
      await run(store, transport, time);

      expect(meanwhile).toMatchObject({ state: "failed", last_error: "no answer" });
      expect(sent).toHaveLength(2);
      expect(await findSet(store, setId)).toMatchObject({ state: "delivered", last_error: null });
    });

    test("makes a delivery that never succeeds a dead letter, which can be delivered later", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const time = fakeTime();
      await queueSet(store, time);

      const failing = fakeTransport({ isDirect: false }, { kind: "retry", reason: "no answer" });
      await run(store, failing.transport, time);
      const [dead] = await listJobs(store.db, { state: "dead" });
      const { transport, sent } = fakeTransport({ isDirect: false });
      await retryDeadJob(store.db, dead?.id ?? "", time.clock);
      await run(store, transport, time);

      expect(failing.sent).toHaveLength(3);
      expect(dead).toMatchObject({ payload: { set: setId }, lastError: "no answer", attempts: 3 });
      expect(sent).toHaveLength(1);
      expect(await listJobs(store.db)).toEqual([]);
    });

    test("does not retry a rejected delivery", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const time = fakeTime();
      await queueSet(store, time);
      const { transport, sent } = fakeTransport({ isDirect: false }, { kind: "rejected", reason: "gone" });

      await run(store, transport, time);

      expect(sent).toHaveLength(1);
      expect(await listJobs(store.db, { state: "dead" })).toMatchObject([{ lastError: "gone", attempts: 1 }]);
    });

    test("does not deliver a deleted set", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const time = fakeTime();
      await queueSet(store, time);
      await createNotificationService(store).deleteSet(setId);
      const { transport, sent } = fakeTransport({ isDirect: false });

      await run(store, transport, time);

      expect(sent).toEqual([]);
      expect(await listJobs(store.db)).toEqual([]);
    });

    test("lets the receiver delete the set during the delivery", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const time = fakeTime();
      await queueSet(store, time);
      const { transport } = fakeTransport({ isDirect: false });
      const deleting: Transport = {
        ...transport,
        async deliver(delivery, options) {
          await createNotificationService(store).deleteSet(setId);
          return transport.deliver(delivery, options);
        },
      };

      await run(store, deleting, time);

      expect(await listJobs(store.db)).toEqual([]);
      expect(await findSet(store, setId)).toBeUndefined();
    });

    test("sends the same id again when a webhook's answer was lost", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await using receiver = await startWebhookReceiver();
      receiver.answer("cut", 500, 202);
      const time = fakeTime();
      await queueSet(store, time);
      const timeout = () => new AbortController().signal;

      await run(
        store,
        webhookTransport({
          target: receiver.url,
          mediaType: "application/json",
          userAgent: "plimsoll/1",
          fetch,
          timeout,
        }),
        time,
      );

      const document = { notification_id: setId, callback: `${callback}/${setId}` };
      expect(receiver.calls.map(({ body }) => JSON.parse(body))).toEqual([document, document, document]);
      expect((await findSet(store, setId))?.state).toBe("delivered");
    });
  },
);
