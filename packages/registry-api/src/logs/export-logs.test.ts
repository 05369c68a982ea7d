import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSealer } from "@plimsoll/registry/crypto/secrets";
import { invalidRequest } from "@plimsoll/registry/errors";
import { expireLogExportsJob, exportLogsJob, mailExportFailureJob } from "@plimsoll/registry/logs/jobs";
import type { OutgoingGuard } from "@plimsoll/registry/ports";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { listJobs, runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, startWebhookReceiver, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it, vi } from "vitest";
import { queuedMail } from "../fixtures/test-mail.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { logEntryView } from "./log-entries.ts";

const mailer = { send: async () => {} };
const anywhere = createOutgoing({ check: async () => {}, send: (url, init) => fetch(url, init) });

async function openWorld({ engine, outgoing = anywhere }: { engine?: TestEngine; outgoing?: OutgoingGuard } = {}) {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-exports-"));
  resources.defer(() => rm(folder, { recursive: true }));
  const blobs = createFileBlobStore(folder, { sync: async () => {} });
  const ports = { blobs, mailer, outgoing };
  const registry = resources.use(await openTestRegistry({ engine, ports }));
  const ada = await registry.user("ada");
  await registry.organization("acme", { admin: [ada] });
  const call = await registry.session(ada);
  await call("PUT", "/organization/acme/robots/bot");
  const { store, settings, pageAddress } = registry;
  const time = fakeTime(registry.time.now);
  const secrets = createSealer(new Uint8Array(32).fill(7), "secrets");
  const context = {
    store,
    blobs,
    clock: time.clock,
    outgoing,
    mailer,
    secrets,
    settings,
    pageAddress,
    viewLogEntry: logEntryView,
  };
  const expiring = expireLogExportsJob.withContext(context);
  const jobs = [exportLogsJob.withContext(context), mailExportFailureJob.withContext(context), expiring];
  const owned = resources.move();
  return {
    registry,
    call,
    blobs,
    advance(durationMs: number) {
      time.advance(durationMs);
      registry.time.now += durationMs;
    },
    ask: (body: object) => call("POST", "/organization/acme/exportlogs", body),
    run: () => runDueJobs({ store, jobs, ...time }),
    expire: () => expiring.run({ signal: new AbortController().signal, payload: null } as never),
    fetch: (link: string) => registry.app.inject({ url: new URL(link).pathname }),
    files: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).length,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "exportLogs on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("tells a callback of a link that is valid for an hour", async () => {
      await using receiver = await startWebhookReceiver();
      await using world = await openWorld({ engine });
      const { status, body } = await world.ask({ callback_url: receiver.url });

      await world.run();

      expect([status, receiver.calls.length]).toEqual([201, 1]);
      const told = JSON.parse(receiver.calls[0]?.body ?? "");
      expect(told).toEqual({
        export_id: body.export_id,
        start_time: "11/20/2026",
        end_time: "11/22/2026",
        namespace: "acme",
        repository: null,
        exported_data_url: expect.stringMatching(/^http:\/\/localhost\/exportedlogs\//),
        status: "success",
      });
      const file = await world.fetch(told.exported_data_url);
      expect(file.headers["content-type"]).toBe("application/json");
      expect(file.json()).toMatchObject({
        export_id: body.export_id,
        details: { namespace: "acme", repository: null },
        logs: [
          { kind: "export_logs_success" },
          { kind: "create_robot", performer: { name: "ada" } },
          { terminator: true },
        ],
      });
      expect((await world.fetch(told.exported_data_url)).statusCode).toBe(404);
      world.advance(3_600_001);
      expect(await world.files()).toBeGreaterThan(0);
      await world.expire();
      expect(await world.files()).toBe(0);
      expect(await listJobs(world.registry.store.db, { kind: exportLogsJob.kind })).toEqual([]);
    });

    it.skipIf(engine.skip)("lets a link expire that was not fetched", async () => {
      await using receiver = await startWebhookReceiver();
      await using world = await openWorld({ engine });
      await world.ask({ callback_url: receiver.url });
      await world.run();
      const { exported_data_url: link } = JSON.parse(receiver.calls[0]?.body ?? "");

      expect((await world.fetch(`${link}x`)).statusCode).toBe(404);
      world.advance(3_600_001);

      expect((await world.fetch(link)).statusCode).toBe(404);
    });

    it.skipIf(engine.skip)("gives a log to one client as a whole, and lets a cut download be repeated", async () => {
      await using receiver = await startWebhookReceiver();
      await using world = await openWorld({ engine });
      await world.ask({ callback_url: receiver.url });
      await world.run();
      const { exported_data_url: link } = JSON.parse(receiver.calls[0]?.body ?? "");
      const { read } = world.blobs;
      const failing = vi.spyOn(world.blobs, "read").mockImplementationOnce(async function* (...args) {
        for await (const chunk of read.apply(world.blobs, args)) yield chunk.subarray(0, 1);
        throw new Error("the store fails");
      });
      await world.fetch(link).catch(() => {});
      expect(failing).toHaveBeenCalledOnce();

      const answers = await Promise.all([1, 2, 3].map(() => world.fetch(link).catch(() => undefined)));

      expect(
        answers.filter((each) => each?.statusCode === 200 && each.body.endsWith('{"terminator":true}]}')),
      ).toHaveLength(1);
      expect((await world.fetch(link)).statusCode).toBe(404);
    });

    it.skipIf(engine.skip)(
      "asks a callback again that does not answer 200, and tells of a failure in the end",
      async () => {
        await using receiver = await startWebhookReceiver();
        receiver.answer(204);
        await using world = await openWorld({ engine });
        await world.ask({ callback_url: receiver.url, callback_email: "ops@example.com" });

        for (const _ of [1, 2, 3, 4]) {
          await world.run();
          world.advance(3_600_000);
        }

        expect(receiver.calls.map(({ body }) => JSON.parse(body).status)).toEqual([
          ...["success", "success", "success", "failed"],
        ]);
        expect(await queuedMail(world.registry)).toMatchObject([{ text: expect.stringContaining("has failed") }]);
        const kinds = (await world.registry.usageLog()).map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind.startsWith("export_logs"))).toEqual([
          "export_logs_success",
          "export_logs_failure",
        ]);
      },
    );
  },
);

describe("exportLogs", () => {
  it("writes the file again if its digest was stored, but the file was not", async () => {
    await using receiver = await startWebhookReceiver();
    await using world = await openWorld();
    vi.spyOn(world.blobs, "commit").mockRejectedValueOnce(new Error("the process ends"));
    await world.ask({ callback_url: receiver.url });

    await world.run();
    world.advance(3_600_000);
    await world.run();

    const { exported_data_url } = JSON.parse(receiver.calls[0]?.body ?? "");
    expect((await world.fetch(exported_data_url)).statusCode).toBe(200);
  });

  it("reports a failure if no worker has claimed the export for a day", async () => {
    await using receiver = await startWebhookReceiver();
    await using world = await openWorld();
    await world.ask({ callback_url: receiver.url });
    world.advance(86_400_000);

    await world.run();

    expect(receiver.calls.map(({ body }) => JSON.parse(body).status)).toEqual(["failed"]);
    expect((await world.registry.usageLog()).map(({ kind }) => kind)).toContain("export_logs_failure");
  });

  it("sends the link by mail, also where the callback may not be called any more", async () => {
    await using receiver = await startWebhookReceiver();
    let checks = 0;
    const check = async () => {
      if (checks++ > 0) throw invalidRequest("an internal host");
    };
    await using world = await openWorld({ outgoing: { ...anywhere, check } });
    await world.ask({ callback_url: receiver.url, callback_email: "ops@example.com" });

    await world.run();

    const [mail] = await queuedMail(world.registry);
    expect(mail).toMatchObject({ to: "ops@example.com", subject: "Export Action Logs Complete" });
    const [link = ""] = /http\S+/.exec(mail?.text ?? "") ?? [];
    expect((await world.fetch(link)).statusCode).toBe(200);
    expect(receiver.calls).toEqual([]);
  });

  it("writes many entries, a page at a time", async () => {
    await using world = await openWorld();
    const at = world.registry.time.now;
    const { id } = await world.registry.store.db
      .selectFrom("account")
      .select("id")
      .where("username", "=", "acme")
      .executeTakeFirstOrThrow();
    const row = {
      kind: "create_repo",
      namespace_id: id,
      repository_id: null,
      performer_id: null,
      performer_name: null,
    };
    for (let n = 0; n < 25; n++) {
      const rows = Array.from({ length: 100 }, () => ({ ...row, ip: null, metadata: "{}", at }));
      await world.registry.store.db.insertInto("usage_log").values(rows).execute();
    }
    await world.ask({ callback_email: "ops@example.com" });

    await world.run();

    const [mail] = await queuedMail(world.registry);
    const [link = ""] = /http\S+/.exec(mail?.text ?? "") ?? [];
    expect((await world.fetch(link)).json().logs).toHaveLength(2500 + 2 + 1);
  });
});
