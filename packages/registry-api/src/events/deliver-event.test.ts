import { createHmac } from "node:crypto";
import { createSealer } from "@plimsoll/registry/crypto/secrets";
import { deliverNotificationJob } from "@plimsoll/registry/events/deliver-event";
import { emitEvent } from "@plimsoll/registry/events/emit-event";
import type { RepositoryEvent } from "@plimsoll/registry/events/queries/notifications";
import { type Mailer, noMailer } from "@plimsoll/registry/ports";
import { openSmtpMailer } from "@plimsoll/registry-adapters/mail";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, startWebhookReceiver, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { startSmtpSink } from "../fixtures/smtp-sink.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { putRepository } from "../fixtures/test-repositories.ts";

const outgoing = createOutgoing({ check: async () => {}, send: (url, init) => fetch(url, init) });
const never = () => new AbortController().signal;
const path = "/repository/acme/app/notification/";

async function openWorld({
  engine,
  mailer = noMailer,
}: {
  readonly engine?: TestEngine;
  readonly mailer?: Mailer;
} = {}) {
  const registry = await openTestRegistry({
    ...(engine && { engine }),
    ports: { outgoing, mailer },
  });
  const ada = await registry.user("ada");
  const bob = await registry.user("bob");
  const acme = await registry.organization("acme", { admin: [ada], member: [bob] });
  const repository = await putRepository(registry, { namespace: acme, name: "app" });
  const call = await registry.session(ada);
  const { store, settings } = registry;
  const time = fakeTime(registry.time.now);
  const secrets = createSealer(new Uint8Array(32).fill(7), "secrets");
  const context = { store, clock: time.clock, outgoing, mailer, secrets, settings, timeout: never };
  const jobs = [deliverNotificationJob.withContext(context)];
  return {
    registry,
    advance(durationMs: number) {
      time.advance(durationMs);
      registry.time.now += durationMs;
    },
    call,
    bob: await registry.session(bob),
    create: async (request: object) =>
      (await call("POST", path, { event: "repo_push", method: "webhook", eventConfig: {}, ...request })).body,
    emit: (event: RepositoryEvent, members: Parameters<typeof emitEvent>[2]["members"]) =>
      emitEvent({ db: store.db, settings, clock: time.clock, pageAddress: registry.pageAddress }, repository, {
        event,
        members,
      }),
    run: () => runDueJobs({ store, jobs, ...time }),
    deliveries: async (uuid: string) => (await call("GET", `${path}${uuid}/deliveries`)).body.deliveries,
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "deliverEvent on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("posts an event, signed with the secret of the notification, and records it", async () => {
      await using receiver = await startWebhookReceiver();
      await using world = await openWorld({ engine });
      const { uuid, secret, config } = await world.create({ config: { url: receiver.url } });
      await world.emit("repo_push", { updated_tags: ["1.0"] });

      await world.run();

      const [call] = receiver.calls;
      const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = call?.headers ?? {};
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      expect(signature).toBe(`v1,${createHmac("sha256", key).update(`${id}.${at}.${call?.body}`).digest("base64")}`);
      expect(call?.headers["x-plimsoll-event"]).toBe("repo_push");
      expect(JSON.parse(call?.body ?? "")).toEqual({
        repository: "acme/app",
        namespace: "acme",
        name: "app",
        docker_url: "localhost/acme/app",
        homepage: "http://localhost/repository/acme/app",
        updated_tags: ["1.0"],
      });
      expect(config).toEqual({ url: receiver.url });
      expect(await world.deliveries(uuid)).toMatchObject([
        { id, state: "delivered", attempts: 1, is_test: false, payload: { updated_tags: ["1.0"] } },
      ]);
      expect((await world.bob("GET", `${path}${uuid}/deliveries`)).status).toBe(403);
    });

    it.skipIf(engine.skip)(
      "tries again what fails, stops after three failures, and begins again when reset",
      async () => {
        await using receiver = await startWebhookReceiver();
        receiver.answer(500);
        await using world = await openWorld({ engine });
        const { uuid } = await world.create({ config: { url: receiver.url } });
        await world.emit("repo_push", { updated_tags: ["1"] });
        for (const _ of [1, 2, 3, 4, 5]) {
          await world.run();
          world.advance(3_600_000);
        }
        const [failed] = await world.deliveries(uuid);
        const stopped = (await world.call("GET", `${path}${uuid}`)).body.number_of_failures;
        await world.emit("repo_push", { updated_tags: ["2"] }); // no receiver
        await world.call("POST", `${path}${uuid}/test`);
        await world.run();
        const [dropped] = await world.deliveries(uuid);
        await world.call("POST", `${path}${uuid}`);
        receiver.answer(204);
        await world.emit("repo_push", { updated_tags: ["3"] });
        world.advance(1);
        await world.run();

        expect(failed).toMatchObject({ state: "failed", attempts: 3, detail: "the receiver answered 500" });
        expect(stopped).toBe(3);
        expect(dropped).toMatchObject({ state: "dropped", is_test: true });
        expect(receiver.calls.map(({ body }) => JSON.parse(body).updated_tags[0])).toEqual(["1", "1", "1", "3"]);
        expect(new Set(receiver.calls.slice(0, 3).map(({ headers }) => headers["webhook-id"])).size).toBe(1);
        expect((await world.deliveries(uuid)).map(({ state }: { state: string }) => state).sort()).toEqual([
          ...["delivered", "dropped", "failed"],
        ]);
      },
    );

    it.skipIf(engine.skip)("marks a test for programs, also those that get a template, and for people", async () => {
      await using receiver = await startWebhookReceiver();
      await using world = await openWorld({ engine });
      const template = JSON.stringify({ tags: "${updated_tags}" });
      const all = [{ url: receiver.url }, { url: receiver.url, template }].map((config) => ({ config }));
      const people = { method: "slack", config: { url: receiver.url } };
      for (const each of [...all, people]) {
        const { uuid } = await world.create(each);
        await world.call("POST", `${path}${uuid}/test`);
        await world.run();
      }
      await world.emit("repo_push", { updated_tags: ["1"] });
      await world.run();

      const calls = receiver.calls.map(({ headers, body }) => [headers["x-plimsoll-test"], JSON.parse(body)] as const);
      expect(calls.slice(0, 3)).toEqual([
        ["true", expect.objectContaining({ updated_tags: ["latest"], test: true })],
        ["true", { tags: ["latest"] }],
        [undefined, expect.objectContaining({ text: expect.stringMatching(/^Test: /) })],
      ]);
      expect(calls).toHaveLength(6);
      for (const [header, body] of calls.slice(3)) {
        expect(header).toBeUndefined();
        expect(body).not.toHaveProperty("test");
        expect(JSON.stringify(body)).not.toContain("Test: ");
      }
    });

    it.skipIf(engine.skip)("shows notices to users, teams and administrators, once", async () => {
      await using world = await openWorld({ engine });
      const method = "quay_notification";
      await world.create({ method, config: { target: { kind: "user", name: "bob" } } });
      await world.create({ method, config: { target: { kind: "team", name: "members" } } });
      await world.create({ method, config: { target: { kind: "org", name: "acme" } } });
      await world.emit("repo_push", { updated_tags: ["1"] });

      await world.run();

      const [mine, his] = [
        await world.call("GET", "/user/notifications"),
        await world.bob("GET", "/user/notifications"),
      ];
      expect(mine.body.notifications).toMatchObject([
        { kind: "repo_push", metadata: { repository: "acme/app", message: "acme/app was pushed: 1" } },
      ]);
      expect(his.body.notifications).toHaveLength(2);
    });

    it.skipIf(engine.skip)("keeps the last 100 deliveries of a notification", async () => {
      await using receiver = await startWebhookReceiver();
      await using world = await openWorld({ engine });
      const { uuid } = await world.create({ config: { url: receiver.url } });
      for (let push = 0; push < 103; push++) {
        await world.emit("repo_push", { updated_tags: [String(push)] });
        world.advance(1);
      }

      await world.run();

      const tags = (await world.deliveries(uuid)).map((each: { payload: { updated_tags: string[] } }) =>
        Number(each.payload.updated_tags[0]),
      );
      expect(tags).toEqual(Array.from({ length: 100 }, (_, index) => 102 - index));
    });
  },
);

describe("deliverEvent", () => {
  it("does not deliver an event that has waited for a day", async () => {
    await using receiver = await startWebhookReceiver();
    await using world = await openWorld();
    const { uuid } = await world.create({ config: { url: receiver.url } });
    const eventConfig = { "ref-regex": "refs/tags/v" };
    await world.create({
      event: "build_success",
      eventConfig,
      config: { url: receiver.url },
    });
    await world.emit("repo_push", { updated_tags: ["1"] });
    await world.emit("build_success", { trigger_metadata: {} });
    world.advance(86_400_001);

    await world.run();

    expect(receiver.calls).toEqual([]);
    const told = await world.registry.store.db.selectFrom("event_delivery").selectAll().execute();
    expect(told).toMatchObject([{ notification_id: uuid, state: "failed", detail: expect.stringMatching(/too long/) }]);
  });

  it("records that no attempt is left, if the notification has not failed too often", async () => {
    await using receiver = await startWebhookReceiver();
    receiver.answer(500);
    await using world = await openWorld();
    const { uuid } = await world.create({ config: { url: receiver.url } });
    await world.emit("repo_push", { updated_tags: ["1"] });

    const seen: unknown[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      await world.run();
      seen.push((await world.deliveries(uuid))[0]);
      await world.call("POST", `${path}${uuid}`); // resets the count
      world.advance(3_600_000);
    }

    const states = ["retrying", "retrying", "retrying", "retrying", "failed"];
    expect(seen).toMatchObject(
      states.map((state, index) => ({ state, attempts: index + 1, detail: "the receiver answered 500" })),
    );
  });

  it("sends the rendered template of an event", async () => {
    await using receiver = await startWebhookReceiver();
    await using world = await openWorld();
    const template =
      '{"tags":"${updated_tags}","first":"${updated_tags[0]}","text":"${name}: ${updated_tags}, ${none}","no":"${none}"}';
    await world.create({ config: { url: receiver.url, template } });
    await world.emit("repo_push", { updated_tags: ["1", "2"] });

    await world.run();

    expect(JSON.parse(receiver.calls[0]?.body ?? "")).toEqual({
      tags: ["1", "2"],
      first: "1",
      text: "app: 1, 2, (none)",
      no: null,
    });
  });

  it("follows no redirect", async () => {
    await using receiver = await startWebhookReceiver();
    receiver.answer(302);
    await using world = await openWorld();
    const { uuid } = await world.create({ config: { url: receiver.url } });
    await world.emit("repo_push", { updated_tags: ["1"] });

    await world.run();

    expect(receiver.calls).toHaveLength(1);
    expect(await world.deliveries(uuid)).toMatchObject([{ state: "retrying", detail: "the receiver answered 302" }]);
  });

  it.each([
    {
      method: "slack",
      shape: { username: "Plimsoll", attachments: [{ color: "#439fe0", fallback: "acme/app was pushed: a<b" }] },
    },
    {
      method: "teams",
      shape: { type: "message", attachments: [{ content: { body: [{ text: "acme/app was pushed: a<b" }] } }] },
    },
  ])("speaks to $method", async ({ method, shape }) => {
    await using receiver = await startWebhookReceiver();
    await using world = await openWorld();
    const { secret } = await world.create({ method, config: { url: receiver.url } });
    await world.emit("repo_push", { updated_tags: ["a<b"] });

    await world.run();

    expect(JSON.parse(receiver.calls[0]?.body ?? "")).toMatchObject(shape);
    expect(secret).toBeUndefined();
  });

  it("sends mail to a confirmed address, and a line break in an event makes no header", async () => {
    await using sink = await startSmtpSink();
    await using mailer = openSmtpMailer({
      ...{ url: `smtp://127.0.0.1:${sink.port}`, from: "registry@example.com", requireTls: false },
    });
    await using world = await openWorld({ mailer });
    const config = { email: "ops@example.com" };
    const { uuid } = await world.create({ event: "repo_mirror_sync_failed", config: { url: "https://hooks.example" } });
    const row = { method: "email", config: JSON.stringify(config) };
    await world.registry.store.db.updateTable("event_notification").set(row).where("id", "=", uuid).execute();
    await world.emit("repo_mirror_sync_failed", { message: "gone\r\nBcc: eve@example.com" });

    await world.run();

    expect(sink.received).toMatchObject([{ to: ["ops@example.com"] }]);
    const [headers] = sink.received[0]?.body.split("\r\n\r\n") ?? [];
    expect(headers).toContain("Subject: ");
    expect(headers).not.toMatch(/^Bcc:/m);
    expect(await world.deliveries(uuid)).toMatchObject([
      { state: "delivered", detail: "the mail server accepted the message" },
    ]);
  });

  it.each([
    {
      event: "vulnerability_found",
      eventConfig: { level: "1" },
      members: { vulnerability: { priority: "High" } },
      sent: 1,
    },
    {
      event: "vulnerability_found",
      eventConfig: { level: "1" },
      members: { vulnerability: { priority: "Medium" } },
      sent: 0,
    },
    { event: "vulnerability_found", eventConfig: {}, members: { vulnerability: { priority: "Unknown" } }, sent: 1 },
    {
      event: "build_success",
      eventConfig: { "ref-regex": "refs/tags/v" },
      members: { trigger_metadata: { ref: "refs/tags/v1" } },
      sent: 1,
    },
    {
      event: "build_success",
      eventConfig: { "ref-regex": "tags" },
      members: { trigger_metadata: { ref: "refs/tags/v1" } },
      sent: 0,
    },
    { event: "build_success", eventConfig: { "ref-regex": ".*" }, members: { trigger_metadata: {} }, sent: 0 },
    { event: "build_success", eventConfig: {}, members: { trigger_metadata: {} }, sent: 1 },
  ] as const)(
    "tells of $event with $eventConfig and $members $sent times",
    async ({ event, eventConfig, members, sent }) => {
      await using receiver = await startWebhookReceiver();
      await using world = await openWorld();
      await world.create({ event, eventConfig, config: { url: receiver.url } });
      await world.emit(event, members);

      await world.run();

      expect(receiver.calls).toHaveLength(sent);
    },
  );

  it.each(["short", "whsec_c2hvcnQ=", 7])("refuses the secret %j", async (secret) => {
    await using world = await openWorld();

    expect(await world.create({ config: { url: "https://hooks.example", secret } })).toMatchObject({
      detail: "config.secret: expected whsec_ and 24 to 64 bytes in base64",
    });
  });
});
