import { createHash } from "node:crypto";
import { holdBlobs } from "@plimsoll/registry/content/held-blobs";
import type { Collected } from "@plimsoll/registry/lifecycle/collection/collection";
import { collectionJobs } from "@plimsoll/registry/lifecycle/collection/jobs";
import { planCollection } from "@plimsoll/registry/lifecycle/collection/plan-collection";
import { cancelJobById, runDueJobs, systemTime } from "@plimsoll/store";
import { expect } from "vitest";
import { beginUpload, onEachEngine } from "../../fixtures/each-engine.ts";
import type { TestDistribution } from "../../fixtures/test-distribution.ts";
import type { Call } from "../../fixtures/test-registry.ts";

const name = "alice/images";
const dayMs = 86_400_000;

async function open(world: TestDistribution) {
  const { store, blobs, registry } = world;
  const account = await registry.user("root");
  const root: Call = async (...call) => (await registry.session(account))(...call); // they end within a day
  const clock = { now: () => registry.time.now };
  return {
    root,
    /** The response of `getGarbage` for superusers. */
    state: async () => (await root("GET", "/superuser/garbage")).body,
    work: () =>
      runDueJobs({
        store,
        jobs: collectionJobs({ store, blobs, clock }),
        clock,
        random: () => 0,
        sleep: systemTime.sleep,
      }),
  };
}

/** How many items of each kind. */
function itemsOf({ counts }: { readonly counts: readonly { readonly kind: string; readonly items: number }[] }) {
  return Object.fromEntries(counts.map(({ kind, items }) => [kind, items]));
}

async function listOf(items: AsyncIterable<Collected>): Promise<readonly Collected[]> {
  const list: Collected[] = [];
  for await (const item of items) list.push(item);
  return list;
}

onEachEngine("garbageOperations", (test) => {
  test("plan a collection with what stays and why, and then collect exactly what was planned", async (world) => {
    const { root, state, work } = await open(world);
    await world.pushImage(name, "latest");
    await world.pushImage(name, "stays", { layer: "another layer" });
    await world.send("DELETE", `${name}/manifests/latest`);
    world.registry.time.now += 14 * dayMs;
    await world.pushImage(name, "restorable", { layer: "a third layer" });
    await world.send("DELETE", `${name}/manifests/restorable`);
    const upload = new URL(await beginUpload(world), "http://localhost").pathname.replace("/v2/", "");
    await world.send("PATCH", upload, { body: "12345" });
    const body = "without a manifest";
    const digest = `sha256:${createHash("sha256").update(body).digest("hex")}`;
    await world.send("POST", `${name}/blobs/uploads/?digest=${digest}`, { body });
    world.registry.time.now += 1;

    const asked = await root("POST", "/superuser/garbage/plan");
    await root("POST", "/superuser/garbage/plan");
    expect(await work()).toBe(1);
    const planned = await state();
    await root("POST", "/superuser/garbage/collect");
    await work();
    const collected = await state();

    expect([asked.status, asked.body.planning.state, asked.body.plan]).toEqual([201, "waiting", null]);
    expect(itemsOf(planned.plan)).toEqual({ tag: 1, manifest: 1, link: 1, blob: 1 });
    expect(planned.plan).toMatchObject({
      ended: world.registry.time.now,
      partial: false,
      kept: { tags: 1, manifests: 0, links: 1, uploads: 1, upload_bytes: 5, held: false },
    });
    expect(planned).toMatchObject({ planning: null, last: null, waiting: { uploads: 1, upload_bytes: 5 } });
    expect(itemsOf(collected.last)).toEqual(itemsOf(planned.plan));
    expect(collected.last.bytes).toBe(planned.plan.bytes);
    expect(collected.last_freeing).toEqual(collected.last);
  });

  test("store the last collection that removed something, and show that no blob is removed during a backup", async (world) => {
    const { root, state, work } = await open(world);
    await world.pushImage(name, "latest");
    await world.send("DELETE", `${name}/manifests/latest`);
    world.registry.time.now += 14 * dayMs;
    await root("POST", "/superuser/garbage/collect");
    await work();
    world.registry.time.now += 1000;
    await holdBlobs(world.store.db, world.registry.time.now + 1000);
    for (const what of ["collect", "plan"]) await root("POST", `/superuser/garbage/${what}`);
    await work();

    const { last, last_freeing: freeing, plan } = await state();

    expect([last.counts, last.started - freeing.started]).toEqual([[], 1000]);
    expect(itemsOf(freeing)).toMatchObject({ manifest: 1 });
    expect(plan.kept.held).toBe(true);
  });

  test("show the progress of a plan, and let it be cancelled", async (world) => {
    const { root, state } = await open(world);
    const { store, blobs, registry } = world;
    await world.pushImage(name, "latest");
    await world.send("DELETE", `${name}/manifests/latest`);
    registry.time.now += 14 * dayMs;
    await root("POST", "/superuser/garbage/plan");
    const seen: unknown[] = [];
    const stopped = {
      countReceived: (id: string) => blobs.countReceived(id),
      async *listUploads() {
        const { planning, plan } = await state();
        seen.push({ state: planning.state, ended: plan.ended, items: itemsOf(plan) });
        await cancelJobById(store.db, planning.job_id, { clock, kinds: [] });
        yield* blobs.listUploads();
      },
    };
    const clock = { now: () => (registry.time.now += 1000) };
    const jobs = collectionJobs({ store, blobs: stopped as unknown as typeof blobs, clock });

    await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
    const after = await state();

    expect(seen).toEqual([{ state: "running", ended: null, items: { tag: 1, manifest: 1, link: 2 } }]);
    expect(after.planning).toBe(null);
  });
});

onEachEngine("planCollection", (test) => {
  const unlimited = { itemsOfRepository: 1000, links: 1000, isOver: () => false };

  test("ends at its limits, and reports that", async (world) => {
    const { store, blobs, registry } = world;
    for (const tag of ["one", "two", "three"]) {
      await world.pushImage(name, tag, { layer: tag });
      await world.send("DELETE", `${name}/manifests/${tag}`);
    }
    registry.time.now += 14 * dayMs;
    const plan = async (limits: Partial<typeof unlimited>) => {
      let isPartial = false;
      const onPartial = () => {
        isPartial = true;
      };
      const options = {
        store,
        blobs,
        now: registry.time.now,
        since: 0,
        limits: { ...unlimited, ...limits },
        onPartial,
      };
      const kinds = (await listOf(planCollection(options))).map(({ kind }) => kind);
      const count = (wanted: string) => kinds.filter((kind) => kind === wanted).length;
      return [isPartial, count("tag"), count("blob")];
    };

    const signal = AbortSignal.abort();
    const cancelled = planCollection({ store, blobs, now: registry.time.now, since: 0, signal });

    await expect(listOf(cancelled)).rejects.toThrow("aborted");
    expect(await plan({})).toEqual([false, 3, 4]);
    expect(await plan({ links: 2 })).toEqual([true, 3, 2]);
    expect((await plan({ itemsOfRepository: 2 }))[0]).toBe(true);
    expect(await plan({ isOver: () => true })).toEqual([true, 0, 0]);
  });
});
