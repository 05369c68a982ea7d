import { createHmac } from "node:crypto";
import { findAccount } from "@plimsoll/registry/access/queries";
import { createSealer } from "@plimsoll/registry/crypto/secrets";
import { deliverNotificationJob } from "@plimsoll/registry/events/deliver-event";
import { listContacts } from "@plimsoll/registry/events/queries/deliveries";
import { emitQuotaEventsJob } from "@plimsoll/registry/organizations/quotas/jobs";
import type { Mail } from "@plimsoll/registry/ports";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { runDueJobs } from "@plimsoll/store";
import { fakeTime, startWebhookReceiver } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { onEachEngine } from "../../fixtures/each-engine.ts";
import type { TestDistribution } from "../../fixtures/test-distribution.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const outgoing = createOutgoing({ check: async () => {}, send: (url, init) => fetch(url, init) });
const acme = "/organization/acme/notifications";
const own = "/user/namespacenotifications";
const webhook = {
  event: "quota_warning",
  method: "webhook",
  config: { url: "https://hooks.example/x" },
  eventConfig: {},
};

/** An organization of alice with a quota of 1,000 bytes, which warns at a half, and so is the quota of alice. */
async function open({ registry, store }: Pick<TestDistribution, "registry" | "store">) {
  const [alice, bob] = [
    (await findAccount(store.db, "alice")) ?? (await registry.user("alice")),
    await registry.user("bob"),
  ];
  await registry.organization("acme", { admin: [alice], member: [bob] });
  await registry.organization("globex", { admin: [alice] });
  const root = await registry.session(await registry.user("root"));
  for (const namespace of ["acme", "alice"]) {
    await root("POST", `/superuser/users/${namespace}/quota`, { limit_bytes: 1000 });
    const [{ id }] = (await root("GET", `/superuser/users/${namespace}/quota`)).body;
    await root("POST", `/organization/${namespace}/quota/${id}/limit`, { type: "Warning", threshold_percent: 50 });
  }
  const sent: Mail[] = [];
  const refusing = new Set<string>();
  const mailer = {
    async send(mail: Mail) {
      if (refusing.has(mail.to)) throw new Error("no such mailbox");
      sent.push(mail);
    },
  };
  const time = fakeTime(registry.time.now);
  const secrets = createSealer(new Uint8Array(32).fill(7), "secrets");
  const context = {
    store,
    clock: time.clock,
    outgoing,
    mailer,
    secrets,
    settings: registry.settings,
    pageAddress: registry.pageAddress,
  };
  const timeout = () => new AbortController().signal;
  return {
    alice: await registry.session(alice),
    bob: await registry.session(bob),
    sent,
    /** The addresses that the mail server refuses. */
    refusing,
    run: () =>
      runDueJobs({
        ...{ store, ...time },
        jobs: [emitQuotaEventsJob.withContext(context), deliverNotificationJob.withContext({ ...context, timeout })],
      }),
  };
}

onEachEngine("namespaceNotificationOperations", (test) => {
  test(
    "tell a webhook that the quota of the namespace is nearly used, signed with the secret of the notification",
    async (world) => {
      await using receiver = await startWebhookReceiver();
      const { alice, bob, run } = await open(world);
      const { uuid, secret, config } = (await alice("POST", acme, { ...webhook, config: { url: receiver.url } })).body;
      const mine = (await alice("POST", own, { ...webhook, config: { url: receiver.url } })).body;
      await alice("POST", "/organization/globex/notifications", { ...webhook, config: { url: receiver.url } });
      await alice("POST", acme, { ...webhook, event: "quota_error", config: { url: receiver.url } });

      await world.pushImage("acme/app", "latest", { layer: "x".repeat(600) });
      await run();
      const ofAcme = receiver.calls.length;
      await world.pushImage("alice/app", "latest", { layer: "y".repeat(600) });
      await run();

      const [call, other] = receiver.calls;
      const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = call?.headers ?? {};
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      expect(signature).toBe(`v1,${createHmac("sha256", key).update(`${id}.${at}.${call?.body}`).digest("base64")}`);
      expect(call?.headers["x-plimsoll-event"]).toBe("quota_warning");
      const event = JSON.parse(call?.body ?? "");
      expect(event).toEqual({
        namespace: "acme",
        homepage: "http://localhost/namespace/acme",
        threshold_percent: 50,
        usage_bytes: event.usage_bytes,
        limit_bytes: 1000,
        usage_percent: Math.floor(event.usage_bytes / 10),
        usage_bytes_formatted: `${event.usage_bytes} B`,
        limit_bytes_formatted: "1000 B",
      });
      expect([ofAcme, receiver.calls.length]).toEqual([1, 2]);
      expect(JSON.parse(other?.body ?? "")).toMatchObject({ namespace: "alice", threshold_percent: 50 });
      expect(config).toEqual({ url: receiver.url });
      const deliveries = (await alice("GET", `${acme}/${uuid}/deliveries`)).body.deliveries;
      expect(deliveries).toMatchObject([{ id, state: "delivered", attempts: 1, is_test: false }]);
      expect((await alice("GET", `${own}/${mine.uuid}/deliveries`)).body.deliveries).toHaveLength(1);
      expect((await bob("GET", `${acme}/${uuid}/deliveries`)).status).toBe(403);
      const stored = await world.store.db
        .selectFrom("event_notification")
        .select(["config", "secret_sealed"])
        .execute();
      expect(JSON.stringify(stored)).not.toMatch(new RegExp(`${receiver.url}|${secret}`));
    },
    { ports: { outgoing } },
  );

  test(
    "stop after three failures, begin again when reset, and go with their namespace",
    async (world) => {
      await using receiver = await startWebhookReceiver();
      receiver.answer(500);
      const { alice, run } = await open(world);
      const { uuid } = (await alice("POST", acme, { ...webhook, config: { url: receiver.url } })).body;
      const count = async () => (await alice("GET", `${acme}/${uuid}`)).body.number_of_failures;
      const sendTest = async () => {
        await alice("POST", `${acme}/${uuid}/test`);
        await run();
      };

      for (const _ of [1, 2, 3]) await sendTest();
      const stopped = await count();
      await sendTest();
      const calls = receiver.calls.length;
      await alice("POST", `${acme}/${uuid}`);
      const reset = await count();
      receiver.answer(204);
      await sendTest();

      expect([stopped, calls, reset]).toEqual([3, 3, 0]);
      expect(JSON.parse(receiver.calls[3]?.body ?? "")).toMatchObject({ namespace: "acme", test: true });
      const log = (await world.registry.usageLog()).filter(({ kind }) => kind.includes("notification"));
      const metadata = { namespace: "acme", notification_id: uuid, event: "quota_warning", method: "webhook" };
      const kinds = ["create_namespace_notification", "reset_namespace_notification"];
      expect(log).toEqual(kinds.map((kind) => ({ kind, metadata })));
      await alice("POST", `${acme}/${uuid}/test`); // is still queued when the organization is gone
      const before = receiver.calls.length;
      await alice("DELETE", "/organization/acme");
      await run();
      expect(receiver.calls).toHaveLength(before);
      expect(await world.store.db.selectFrom("event_notification").selectAll().execute()).toEqual([]);
      expect(await world.store.db.selectFrom("event_delivery").selectAll().execute()).toEqual([]);
    },
    { ports: { outgoing } },
  );

  test(
    "send e-mail to the confirmed addresses of those who administer the namespace, and to nobody else",
    async (world) => {
      const { alice, sent, run } = await open(world);
      const email = { ...webhook, method: "email", config: {} };
      const verify = (verified: 0 | 1) =>
        world.store.db
          .updateTable("account")
          .set({ verified, email: "alice@example.com" })
          .where("username", "=", "alice")
          .execute();

      await verify(0);
      const refused = await alice("POST", acme, email);
      await verify(1);
      const named = await alice("POST", acme, { ...email, config: { email: "eve@example.com" } });
      const { uuid } = (await alice("POST", acme, email)).body;
      await alice("POST", `${acme}/${uuid}/test`);
      await run();
      await verify(0);
      await alice("POST", `${acme}/${uuid}/test`);
      await run();

      expect([refused.status, refused.body.detail]).toEqual([
        400,
        expect.stringMatching(/^No administrator .* confirmed/),
      ]);
      expect([named.status, named.body.detail]).toEqual([400, expect.stringMatching(/^config\.email: expected none/)]);
      expect(sent).toMatchObject([{ to: "alice@example.com", subject: "Plimsoll: Test: acme uses 800 B of 1000 B" }]);
      const { deliveries } = (await alice("GET", `${acme}/${uuid}/deliveries`)).body;
      expect(deliveries.map(({ detail }: { detail: string }) => detail).toSorted()).toEqual([
        "nobody who would be told has a confirmed e-mail address",
        "the mail server accepted the message",
      ]);
    },
    { ports: { outgoing } },
  );
});

describe("namespaceNotificationOperations", () => {
  it.each([
    [{ event: "repo_push" }, /event/],
    [{ method: "pigeon" }, /method/],
    [{ config: {} }, /Missing webhook URL/],
    [{ config: { ...webhook.config, template: "{" } }, /not JSON/],
    [{ config: { ...webhook.config, secret: "short" } }, /config\.secret/],
    [{ method: "slack", config: {} }, /Missing Slack/],
    [{ method: "quay_notification", config: {} }, /kind and name/],
    [{ method: "quay_notification", config: { target: { kind: "org", name: "globex" } } }, /that of the namespace/],
    [{ method: "quay_notification", config: { target: { kind: "team", name: "none" } } }, /Unknown team/],
    [{ eventConfig: undefined }, /eventConfig/],
  ])("refuse %j", async (change, detail) => {
    await using registry = await openTestRegistry({ ports: { outgoing } });
    const { alice } = await open({ registry, store: registry.store });

    const { status, body } = await alice("POST", acme, { ...webhook, ...change });

    expect([status, body.detail]).toEqual([400, expect.stringMatching(detail)]);
  });

  it("speak of the namespace to people: in Slack, Teams and notices", async () => {
    await using receiver = await startWebhookReceiver();
    await using registry = await openTestRegistry({ ports: { outgoing } });
    const { alice, run } = await open({ registry, store: registry.store });
    for (const method of ["slack", "teams"]) {
      const { uuid } = (await alice("POST", acme, { ...webhook, method, config: { url: receiver.url } })).body;
      await alice("POST", `${acme}/${uuid}/test`);
      await run();
    }
    const target = { kind: "org", name: "acme" };
    const { uuid } = (await alice("POST", acme, { ...webhook, method: "quay_notification", config: { target } })).body;
    await alice("POST", `${acme}/${uuid}/test`);
    await run();

    const [slack, teams] = receiver.calls.map(({ body }) => JSON.parse(body));
    expect(slack.text).toBe("Test: acme uses 800 B of 1000 B <http://localhost/namespace/acme|acme>");
    const [{ content }] = teams.attachments;
    expect(content.actions).toEqual([
      { type: "Action.OpenUrl", title: "acme", url: "http://localhost/namespace/acme" },
    ]);
    expect((await alice("GET", "/user/notifications")).body.notifications).toMatchObject([
      { kind: "quota_warning", metadata: { namespace: "acme", message: "Test: acme uses 800 B of 1000 B" } },
    ]);
  });

  it("are not found under a repository, nor those of a repository under its namespace", async () => {
    await using registry = await openTestRegistry({ ports: { outgoing } });
    const { alice } = await open({ registry, store: registry.store });
    await alice("POST", "/repository", {
      namespace: "acme",
      repository: "app",
      visibility: "private",
      description: "",
    });
    const { uuid } = (await alice("POST", acme, webhook)).body;
    const ofApp = (await alice("POST", "/repository/acme/app/notification/", webhook)).body.uuid;

    expect((await alice("GET", `/repository/acme/app/notification/${uuid}`)).status).toBe(404);
    expect((await alice("GET", `${acme}/${ofApp}`)).status).toBe(404);
    expect((await alice("GET", `${own}/${uuid}`)).status).toBe(404);
    expect((await alice("GET", acme)).body.notifications).toHaveLength(1);
  });

  it("are delivered by e-mail if an address was accepted, so that it gets no second message", async () => {
    await using registry = await openTestRegistry({ ports: { outgoing } });
    const { store } = registry;
    const { alice, sent, refusing, run } = await open({ registry, store });
    await alice("PUT", "/organization/acme/team/owners", { role: "admin" });
    await alice("PUT", "/organization/acme/team/owners/members/bob");
    await store.db.updateTable("account").set({ verified: 1 }).where("kind", "=", "user").execute();
    const { uuid } = (await alice("POST", acme, { ...webhook, method: "email", config: {} })).body;
    const [all, details] = [await listContacts(store.db, await idOf(store, "acme")), [] as string[]];
    for (const refused of [[], all.slice(1), all]) {
      for (const address of refused) refusing.add(address);
      await alice("POST", `${acme}/${uuid}/test`);
      registry.time.now += 1;
      await run();
      const [{ detail }] = (await alice("GET", `${acme}/${uuid}/deliveries`)).body.deliveries;
      details.push(detail);
    }

    expect(all).toHaveLength(2);
    expect(details).toEqual([
      "the mail server accepted the message",
      "the mail server accepted the message for 1 of 2 addresses",
      "the mail server did not accept the message: no such mailbox",
    ]);
    expect(sent.map(({ to }) => to)).toEqual([...all, all[0]]);
    expect((await alice("GET", `${acme}/${uuid}`)).body.number_of_failures).toBe(1);
  });

  it("send nothing while their user is disabled", async () => {
    await using receiver = await startWebhookReceiver();
    await using registry = await openTestRegistry({ ports: { outgoing } });
    const { store } = registry;
    const { alice, run } = await open({ registry, store });
    const { uuid } = (await alice("POST", own, { ...webhook, config: { url: receiver.url } })).body;
    await alice("POST", `${own}/${uuid}/test`);
    await store.db.updateTable("account").set({ enabled: 0 }).where("username", "=", "alice").execute();

    await run();

    expect(receiver.calls).toEqual([]);
  });
});

async function idOf({ db }: TestDistribution["store"], username: string): Promise<string> {
  const { id } = await db.selectFrom("account").select("id").where("username", "=", username).executeTakeFirstOrThrow();
  return id;
}
