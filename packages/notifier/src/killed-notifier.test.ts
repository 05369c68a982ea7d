import { fork } from "node:child_process";
import { once } from "node:events";
import { listJobs, runDueJobs, systemTime } from "@plimsoll/store";
import {
  engineTitle,
  startWebhookReceiver,
  type TestEngine,
  testEngines,
  type WebhookReceiver,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { deliverKind, deliverSet } from "./deliver-set.ts";
import { fakeSources } from "./fixtures/fake-sources.ts";
import { killedChanges, killedFeed, killedManifests } from "./fixtures/killed-feed.ts";
import { openNotifierStore } from "./fixtures/notifier-store.ts";
import { pollUpdates } from "./poll-updates.ts";
import type { NotifierStore } from "./store/tables.ts";
import { webhookTransport } from "./transports/webhook.ts";

const callback = "https://scanner.example/";

/** Past every lease of a process that is dead. */
const later = { now: () => systemTime.clock.now() + 600_000 };

/** Runs a notifier that dies at a step. @returns whether it did */
async function dieAt(step: number, location: string, receiver: WebhookReceiver): Promise<boolean> {
  const child = fork(new URL("./fixtures/dying-notifier.ts", import.meta.url), [location, receiver.url, `${step}`], {
    execArgv: ["--conditions=plimsoll-source"],
  });
  const [code, signal] = await once(child, "exit");
  expect(signal ?? code).toBe(signal === null ? 0 : "SIGKILL");
  return signal !== null;
}

/** What another notifier does after it. */
async function goOn(store: NotifierStore, receiver: WebhookReceiver): Promise<void> {
  const sources = fakeSources({ feed: killedFeed }, killedManifests);
  // PostgreSQL frees a dead process's lock soon, SQLite when the lease has run out.
  await expect
    .poll(async () => (await pollUpdates({ store, ...sources, clock: later, mode: "full" }))[0]?.kind)
    .toBe("polled");
  const timeout = () => new AbortController().signal;
  const transport = webhookTransport({ target: receiver.url, userAgent: "plimsoll/1", fetch, timeout });
  const handlers = { [deliverKind]: deliverSet({ store, transport, callback, clock: later }) };
  await runDueJobs({ store, handlers, ...systemTime, clock: later });
}

async function expectEachOnce(store: NotifierStore, receiver: WebhookReceiver, deaths: number): Promise<void> {
  const rows = await store.db
    .selectFrom("notification")
    .innerJoin("notified_vulnerability", "notified_vulnerability.set_id", "notification.set_id")
    .select(["manifest", "reason", "summary"])
    .execute();
  const told = rows.map(({ manifest, reason, summary }) => `${manifest} ${reason} ${JSON.parse(summary).name}`);
  expect(told.sort()).toEqual(killedChanges);
  const sets = await store.db.selectFrom("notification_set").select(["id", "state"]).orderBy("id").execute();
  expect(sets.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  const called = receiver.calls.map(({ body }) => JSON.parse(body).notification_id);
  expect([...new Set(called)].sort()).toEqual(sets.map(({ id }) => id));
  // Who dies may have made one call whose end was not recorded: it is repeated under the same id.
  expect(called.length).toBeLessThanOrEqual(2 + deaths);
  expect(await listJobs(store.db)).toEqual([]);
}

/** A process for every step takes a minute: every fifth unless told otherwise. */
const stride = process.env.PLIMSOLL_TEST_EVERY_STEP === "1" ? 1 : 5;

/** @returns how many of the notifiers that begin at the same time died at the step told */
async function killTogether(engine: TestEngine, steps: readonly number[]): Promise<number> {
  await using database = await engine.create();
  await using receiver = await startWebhookReceiver();
  await using store = await openNotifierStore(database.location);
  const before = fakeSources({ feed: killedFeed.slice(0, 1) }, killedManifests);
  await pollUpdates({ store, ...before, clock: systemTime.clock });

  const died = await Promise.all(steps.map((step) => dieAt(step, database.location, receiver)));
  await goOn(store, receiver);

  const deaths = died.filter(Boolean).length;
  await expectEachOnce(store, receiver, deaths);
  return deaths;
}

const rows = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) }));

describe("a notifier that is killed", () => {
  it.each(rows)(
    "at any step tells each change once on $title",
    async ({ engine }) => {
      if (engine.skip !== undefined) return;
      let step = 1;

      while ((await killTogether(engine, [step])) > 0) step += stride;

      expect(step).toBeGreaterThan(30);
    },
    300_000,
  );

  it.each(rows)(
    "beside another one tells each change once on $title",
    async ({ engine }) => {
      if (engine.skip !== undefined) return;

      for (const step of [9, 25, 41]) await killTogether(engine, [step, 50 - step, 1_000]);
    },
    300_000,
  );
});
