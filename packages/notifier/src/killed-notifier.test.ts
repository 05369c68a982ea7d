import { once } from "node:events";
import { listJobs, runDueJobs, systemTime } from "@plimsoll/store";
import {
  engineTitle,
  findRabbit,
  forkProgram,
  skipNote,
  startWebhookReceiver,
  testEngines,
  usualTestEngine,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { deliverSetJob } from "./deliver-set.ts";
import { fakeSources } from "./fixtures/fake-sources.ts";
import { type KilledDelivery, openKilledTransport } from "./fixtures/killed-delivery.ts";
import { killedChanges, killedFeed, killedManifests } from "./fixtures/killed-feed.ts";
import { openNotifierStore } from "./fixtures/notifier-store.ts";
import { pollUpdates } from "./poll-updates.ts";
import type { NotifierStore } from "./store/tables.ts";
import { createQueue } from "./transports/fixtures/rabbit-queue.ts";
import type { Notification } from "./values/notification.ts";

const callback = "https://scanner.example/";

/** A time after the end of every lease of a dead process. */
const later = { now: () => systemTime.clock.now() + 600_000 };

/** A receiver of notifications. */
interface Receiver extends AsyncDisposable {
  readonly delivery: KilledDelivery;
  /** The received JSON documents, in order. */
  documents(): Promise<readonly unknown[]>;
}

async function startWebhook(): Promise<Receiver> {
  const receiver = await startWebhookReceiver();
  return {
    delivery: { kind: "webhook", target: receiver.url },
    documents: async () => receiver.calls.map(({ body }) => JSON.parse(body)),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

const rabbit = findRabbit();
const { amqp: uri = "", stomp: address = "" } = rabbit ?? {};

async function startBroker(kind: "amqp" | "stomp", { isDirect }: { readonly isDirect: boolean }): Promise<Receiver> {
  const queue = await createQueue(uri);
  const place = { queue: queue.name, isDirect };
  return {
    delivery: kind === "amqp" ? { kind, uri, ...place } : { kind, address, ...place },
    documents: async () => (await queue.read()).map(({ document }) => document),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

/** Runs a notifier that is to die at a step. @returns whether it died */
async function dieAt(step: number, location: string, { delivery }: Receiver): Promise<boolean> {
  const words = [location, JSON.stringify(delivery), `${step}`];
  const child = forkProgram(new URL("./fixtures/dying-notifier.ts", import.meta.url), words);
  const [code, signal] = await once(child, "exit");
  expect(signal ?? code).toBe(signal === null ? 0 : "SIGKILL");
  return signal !== null;
}

/** Runs another notifier after it. */
async function goOn(store: NotifierStore, { delivery }: Receiver): Promise<void> {
  const sources = fakeSources({ feed: killedFeed }, killedManifests);
  // PostgreSQL frees a dead process's lock soon, SQLite when the lease has ended.
  await expect
    .poll(async () => (await pollUpdates({ store, ...sources, clock: later, mode: "full" }))[0]?.kind)
    .toBe("polled");
  const transport = openKilledTransport(delivery);
  const jobs = [deliverSetJob.withContext({ store, transport, callback, clock: later })];
  await runDueJobs({ store, jobs, ...systemTime, clock: later });
}

const toText = ({ manifest, reason, vulnerability }: Pick<Notification, "manifest" | "reason" | "vulnerability">) =>
  `${manifest} ${reason} ${vulnerability.name}`;

/** Expects that the receiver got the URLs of all sets, and that they can be read. */
async function expectSets(store: NotifierStore, documents: readonly unknown[], deaths: number): Promise<void> {
  const rows = await store.db
    .selectFrom("notification")
    .innerJoin("notified_vulnerability", "notified_vulnerability.set_id", "notification.set_id")
    .select(["manifest", "reason", "summary"])
    .execute();
  const told = rows.map(({ summary, ...row }) => toText({ ...row, vulnerability: JSON.parse(summary) }));
  expect(told.sort()).toEqual(killedChanges);
  const sets = await store.db.selectFrom("notification_set").select(["id", "state"]).orderBy("id").execute();
  expect(sets.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  const called = documents.map((document) => (document as { readonly notification_id: string }).notification_id);
  expect([...new Set(called)].sort()).toEqual(sets.map(({ id }) => id));
  // A process may die during a call whose end is not recorded: the call is repeated with the same id.
  expect(called.length).toBeLessThanOrEqual(2 + deaths);
}

/** Expects that the receiver got everything; deliveries repeated after a death have the same id. */
async function expectAllSent(store: NotifierStore, documents: readonly unknown[]): Promise<void> {
  const notifications = documents.flat() as readonly Notification[];
  const byId = new Map(notifications.map((notification) => [notification.id, toText(notification)]));
  expect([...byId.values()].sort()).toEqual(killedChanges);
  expect(await store.db.selectFrom("notification_set").select("id").execute()).toEqual([]);
}

/** A process for every step takes minutes, so that by default only every n-th step is tested. With brokers only the delivery differs. */
const stride = (usual: number) => (process.env.PLIMSOLL_TEST_EVERY_STEP === "1" ? 1 : usual);
const areFew = process.env.PLIMSOLL_TEST_ALL_RUNS === undefined;

interface Killing {
  readonly engine: typeof usualTestEngine;
  readonly start: () => Promise<Receiver>;
  readonly isDirect?: boolean;
}

/** @returns how many of the notifiers that start at the same time died at their step */
async function killTogether({ engine, start, isDirect }: Killing, steps: readonly number[]): Promise<number> {
  await using database = await engine.create();
  await using receiver = await start();
  await using store = await openNotifierStore(database.location);
  const before = fakeSources({ feed: killedFeed.slice(0, 1) }, killedManifests);
  await pollUpdates({ store, ...before, clock: systemTime.clock });

  const died = await Promise.all(steps.map((step) => dieAt(step, database.location, receiver)));
  await goOn(store, receiver);

  const deaths = died.filter(Boolean).length;
  const documents = await receiver.documents();
  await (isDirect ? expectAllSent(store, documents) : expectSets(store, documents, deaths));
  expect(await listJobs(store.db)).toEqual([]);
  return deaths;
}

const engines = testEngines.filter(({ shared }) => shared);
const rows = [
  ...engines.map((engine) => {
    const by = `webhook on ${engineTitle(engine)}`;
    return { engine, by, start: startWebhook, isDirect: false, every: stride(areFew ? 11 : 5), why: engine.skip };
  }),
  ...(["amqp", "stomp"] as const).flatMap((kind) =>
    [true, false].map((isDirect) => {
      const why = rabbit === undefined ? "PLIMSOLL_TEST_RABBITMQ is not set" : undefined;
      const by = `${kind} ${isDirect ? "directly" : "by callback"}${skipNote(why)}`;
      const start = () => startBroker(kind, { isDirect });
      return { engine: usualTestEngine, by, start, isDirect, every: stride(11), why };
    }),
  ),
];

describe("a notifier that is killed", () => {
  it.for(rows)("at any step delivers each change once with $by", { timeout: 300_000 }, async (row, { skip }) => {
    skip(row.why !== undefined, row.why);
    let step = 1;

    while ((await killTogether(row, [step])) > 0) step += row.every;

    expect(step).toBeGreaterThan(30);
  });

  it.for(rows.slice(0, engines.length))(
    "beside another one delivers each change once with $by",
    { timeout: 300_000 },
    async (row, { skip }) => {
      skip(row.why !== undefined, row.why);

      for (const step of areFew ? [25] : [9, 25, 41]) await killTogether(row, [step, 50 - step, 1_000]);
    },
  );
});
