import { createSealer } from "@plimsoll/registry/crypto/secrets";
import { queueMail, sendMailJob } from "@plimsoll/registry/mail/jobs";
import type { Mail, Mailer } from "@plimsoll/registry/ports";
import { listJobs, runDueJobs } from "@plimsoll/store";
import { fakeTime } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const mail: Mail = { to: "ann@example.com", subject: "Hello", text: "the code is 4711" };

async function queued() {
  const registry = await openTestRegistry();
  const { store } = registry;
  const time = fakeTime();
  const secrets = createSealer(new Uint8Array(32), "secrets");
  await queueMail({ db: store.db, secrets, clock: time.clock }, mail);
  const sent: Mail[] = [];
  const mailer = { send: async (each: Mail) => void sent.push(each) };
  return { registry, store, time, secrets, sent, mailer };
}

describe("sendMail", () => {
  it("sends what was queued, which is sealed in the queue", async () => {
    const { registry, store, time, secrets, sent, mailer } = await queued();
    await using _ = registry;
    const [job] = await listJobs(store.db, { kind: sendMailJob.kind });

    await runDueJobs({ store, jobs: [sendMailJob.withContext({ mailer, secrets })], ...time });

    expect(sent).toEqual([mail]);
    expect(JSON.stringify(job)).not.toContain("4711");
    expect(await listJobs(store.db, {})).toEqual([]);
  });

  it("passes its signal on, so that a cancelled attempt closes the connection", async () => {
    const { registry, store, time, secrets } = await queued();
    await using _ = registry;
    const signals: unknown[] = [];
    const mailer: Mailer = { send: async (_, options) => void signals.push(options?.signal) };

    await runDueJobs({ store, jobs: [sendMailJob.withContext({ mailer, secrets })], ...time });

    expect(signals).toEqual([expect.any(AbortSignal)]);
  });

  it("gives up on a message of another key", async () => {
    const { registry, store, time, sent, mailer } = await queued();
    await using _ = registry;
    const other = createSealer(new Uint8Array(32).fill(1), "secrets");

    await runDueJobs({ store, jobs: [sendMailJob.withContext({ mailer, secrets: other })], ...time });

    expect(sent).toEqual([]);
    expect(await listJobs(store.db, {})).toMatchObject([{ state: "dead" }]);
  });
});
