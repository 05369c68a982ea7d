import { findAccount } from "@plimsoll/registry/access/queries";
import { graceMs } from "@plimsoll/registry/content/lifetimes";
import { deliverNotificationJob } from "@plimsoll/registry/events/deliver-event";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import { emitQuotaEventsJob } from "@plimsoll/registry/organizations/quotas/jobs";
import { listJobs, runDueJobs } from "@plimsoll/store";
import { fakeTime } from "@plimsoll/testing";
import { describe, expect } from "vitest";
import { onEachEngine } from "../../fixtures/each-engine.ts";
import type { TestDistribution } from "../../fixtures/test-distribution.ts";
import type { Call } from "../../fixtures/test-registry.ts";

/** An organization with two admins, one of whom is alice, and a member; its quota is 1,000 bytes, removed tags are gone at once. */
async function open({ registry, store }: TestDistribution) {
  const alice = await aliceOf({ store });
  const [bob, eve, root] = [await registry.user("bob"), await registry.user("eve"), await registry.user("root")];
  const { id: acmeId } = await registry.organization("acme", { admin: [alice, bob], member: [eve] });
  await store.db.updateTable("account").set({ tag_expiration_s: 0 }).where("id", "=", acmeId).execute();
  const asRoot = await registry.session(root);
  await asRoot("POST", "/organization/acme/quota", { limit_bytes: 1000 });
  const [{ id }] = (await asRoot("GET", "/superuser/users/acme/quota")).body;
  const limit = (type: string, threshold_percent: number) =>
    asRoot("POST", `/organization/acme/quota/${id}/limit`, { type, threshold_percent });
  const setQuota = (limit_bytes: number) => asRoot("PUT", `/organization/acme/quota/${id}`, { limit_bytes });
  const [asAlice, asBob, asEve] = await Promise.all([alice, bob, eve].map((each) => registry.session(each)));
  if (!asAlice || !asBob || !asEve) throw new Error("a session is missing");
  return { limit, setQuota, asAlice, asBob, asEve };
}

async function kindsFor(call: Call): Promise<readonly string[]> {
  const { body } = await call("GET", "/user/notifications");
  return body.notifications.map(({ kind }: { readonly kind: string }) => kind);
}

async function push({ pushImage }: TestDistribution, tag: string, bytes: number): Promise<string> {
  return pushImage(`acme/${tag}`, "latest", { layer: tag.repeat(bytes) }).then(
    () => "pushed",
    (error: Error) => error.message.slice(0, 3),
  );
}

/** Ends a tag and has its image collected. */
async function remove({ send, store, blobs, registry }: TestDistribution, tag: string): Promise<void> {
  await send("DELETE", `acme/${tag}/manifests/latest`);
  const linked_at = registry.time.now - graceMs.links; // until then a push may rely on its blobs
  await store.db.updateTable("repository_blob").set({ linked_at }).execute();
  for await (const _ of collectGarbage({ store, blobs, now: registry.time.now, since: 0 }));
}

describe("quota notices", () => {
  onEachEngine("warnOfUsage", (test) => {
    test("tells every admin once while the limit is reached, and again when it is reached again", async (world) => {
      const { limit, asAlice, asBob, asEve } = await open(world);
      await limit("Warning", 50);

      const before = (await push(world, "a", 100)) && (await kindsFor(asAlice));
      await push(world, "b", 600);
      const { body } = await asAlice("GET", "/user/notifications");
      await asAlice("PUT", `/user/notifications/${body.notifications[0].id}`, { dismissed: true });
      await push(world, "c", 10);
      const dismissed = [await kindsFor(asAlice), await kindsFor(asBob), await kindsFor(asEve)];
      await remove(world, "c");
      const still = await kindsFor(asBob);
      await remove(world, "b");
      const gone = [await kindsFor(asAlice), await kindsFor(asBob)];
      await push(world, "d", 700);

      expect(before).toEqual([]);
      expect(body.notifications).toMatchObject([
        { kind: "quota_warning", metadata: { namespace: "acme", severity: "Warning" }, dismissed: false },
      ]);
      expect(dismissed).toEqual([[], ["quota_warning"], []]);
      expect(still).toEqual(["quota_warning"]);
      expect(gone).toEqual([[], []]);
      expect([await kindsFor(asAlice), await kindsFor(asBob)]).toEqual([["quota_warning"], ["quota_warning"]]);
    });
  });

  onEachEngine("warningOfRefusal", (test) => {
    test("tells every admin of a refused push, once, until there is more room than then", async (world) => {
      const { limit, asAlice, asBob, asEve } = await open(world);
      await limit("Reject", 100);
      await push(world, "a", 400);

      const refused = [await push(world, "b", 700), await push(world, "c", 800)];
      const told = [await kindsFor(asAlice), await kindsFor(asBob), await kindsFor(asEve)];
      await remove(world, "a");

      expect(refused).toEqual(["403", "403"]);
      expect(told).toEqual([["quota_error"], ["quota_error"], []]);
      expect([await kindsFor(asAlice), await kindsFor(asBob)]).toEqual([[], []]);
    });

    test("tells a user of an upload that does not begin", async (world) => {
      const { registry, store, send } = world;
      const alice = await findAccount(store.db, "alice");
      const asRoot = await registry.session(await registry.user("root"));
      await asRoot("POST", "/superuser/users/alice/quota", { limit_bytes: 1 });
      const [{ id }] = (await asRoot("GET", "/superuser/users/alice/quota")).body;
      await store.db.insertInto("quota_limit").values({ quota_id: id, type: "Reject", threshold_percent: 1 }).execute();

      const { status } = await send("POST", "alice/images/blobs/uploads/");

      expect(status).toBe(403);
      expect(alice && (await kindsFor(await registry.session(alice)))).toEqual(["quota_error"]);
    });
  });

  onEachEngine("renewQuotaNotices", (test) => {
    test("renews the notices when limits change", async (world) => {
      const { limit, setQuota, asBob } = await open(world);
      await push(world, "a", 600);

      const told: (readonly string[])[] = [];
      for (const change of [
        () => limit("Warning", 50),
        () => limit("Reject", 60),
        () => setQuota(2000),
        () => setQuota(1200),
        () => setQuota(1000),
      ]) {
        await change();
        told.push(await kindsFor(asBob));
      }

      expect(told).toEqual([["quota_warning"], ["quota_error"], [], ["quota_warning"], ["quota_error"]]);
    });
  });

  onEachEngine("emitQuotaEvents", (test) => {
    test("tells notifications of the namespace's repositories once each time that a limit is reached", async (world) => {
      const { limit, asAlice } = await open(world);
      const tell = teller(world);
      await limit("Warning", 50);
      await limit("Reject", 90);
      await push(world, "a", 100);
      await world.registry.organization("other", { admin: [await aliceOf(world)] });
      await world.pushImage("other/app", "latest");
      await notify(asAlice, "acme/a", "quota_warning");
      await notify(asAlice, "acme/a", "quota_error");
      await notify(asAlice, "acme/a", "repo_push");
      await notify(asAlice, "other/app", "quota_warning");

      const told: (readonly string[])[] = [];
      for (const work of [
        () => push(world, "b", 500),
        () => push(world, "c", 10),
        () => push(world, "d", 900),
        () => push(world, "e", 900),
        () => remove(world, "b"),
        () => push(world, "f", 500),
      ]) {
        await work();
        told.push(await tell());
      }

      expect(told).toEqual([
        ["acme/a: 660 of 1000, limit 50%"],
        [],
        ["acme/a: 670 of 1000, limit 90%"],
        [],
        [],
        ["acme/a: 670 of 1000, limit 50%"],
      ]);
    });

    test("tells once of pushes that reach a limit together, and of those that are refused together", async (world) => {
      const { limit, asAlice } = await open(world);
      const tell = teller(world);
      await limit("Warning", 30);
      await limit("Reject", 100);
      await push(world, "a", 10);
      for (const event of ["quota_warning", "quota_error"]) await notify(asAlice, "acme/a", event);

      await Promise.all(["b", "c", "d", "e"].map((tag) => push(world, tag, 80)));
      const warned = await tell();
      const refused = await Promise.all(["f", "g", "h", "i"].map((tag) => push(world, tag, 900)));

      expect(warned).toEqual([expect.stringMatching(/^acme\/a: \d+ of 1000, limit 30%$/)]);
      expect(refused).toEqual(["403", "403", "403", "403"]);
      expect(await tell()).toEqual([expect.stringMatching(/^acme\/a: \d+ of 1000, limit 100%$/)]);
    });

    test("tells nothing where another admin is told later, and nothing without notifications", async (world) => {
      const { limit, asAlice } = await open(world);
      const tell = teller(world);
      await limit("Warning", 10);
      await push(world, "a", 500);
      const before = await tell();
      await notify(asAlice, "acme/a", "quota_warning");
      await asAlice("PUT", "/organization/acme/team/owners/members/eve");

      await push(world, "b", 10);

      expect([before, await tell()]).toEqual([[], []]);
    });
  });
});

async function aliceOf({ store }: Pick<TestDistribution, "store">) {
  const alice = await findAccount(store.db, "alice");
  if (alice === undefined) throw new Error("there is no alice");
  return alice;
}

async function notify(call: Call, repository: string, event: string): Promise<void> {
  const config = { url: `https://hooks.example.com/${event}` };
  const { status } = await call("POST", `/repository/${repository}/notification/`, {
    event,
    method: "webhook",
    config,
    eventConfig: {},
  });
  expect(status).toBe(201);
}

/** Runs the jobs that tell of quotas. Each call returns what they have queued since the one before. */
function teller({ store, registry }: TestDistribution): () => Promise<readonly string[]> {
  const { settings, pageAddress } = registry;
  const time = fakeTime(registry.time.now);
  const jobs = [emitQuotaEventsJob.withContext({ store, settings, clock: time.clock, pageAddress })];
  const told = new Set<string>();
  return async () => {
    await runDueJobs({ store, jobs, ...time });
    const queued = await listJobs(store.db, { kind: deliverNotificationJob.kind });
    const fresh = queued.filter(({ id }) => !told.has(id));
    for (const { id } of fresh) told.add(id);
    return fresh.flatMap(({ payload }) => {
      const { event } = payload as { readonly event: Readonly<Record<string, unknown>> };
      const { repository, usage_bytes, limit_bytes, threshold_percent } = event;
      if (usage_bytes === undefined) return [];
      return [`${repository}: ${usage_bytes} of ${limit_bytes}, limit ${threshold_percent}%`];
    });
  };
}
