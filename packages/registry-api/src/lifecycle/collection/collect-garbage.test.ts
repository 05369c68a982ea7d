import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findAccount, findImageRepository } from "@plimsoll/registry/access/queries";
import { graceMs } from "@plimsoll/registry/content/lifetimes";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import type { Collected } from "@plimsoll/registry/lifecycle/collection/collection";
import { deleteNamespace, deleteRepository } from "@plimsoll/registry/lifecycle/collection/deletions";
import { collectGarbageJob, collectionJobs } from "@plimsoll/registry/lifecycle/collection/jobs";
import { planCollection } from "@plimsoll/registry/lifecycle/collection/plan-collection";
import { namespaceUsage } from "@plimsoll/registry/organizations/quotas/queries/usage";
import { enqueueJob, runDueJobs, systemTime } from "@plimsoll/store";
import { engineTitle, fullTestRuns, type TestEngine, testEngines } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recountUsage } from "../../fixtures/recount-usage.ts";
import {
  digestOf,
  ociIndexType,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../../fixtures/test-distribution.ts";

const name = "alice/images";
const window = 14 * 86_400_000;

async function collect({ store, blobs, registry }: TestDistribution): Promise<readonly Collected[]> {
  return listOf(collectGarbage({ store, blobs, now: registry.time.now, since: 0 }));
}

async function plan({ store, blobs, registry }: TestDistribution): Promise<readonly Collected[]> {
  return listOf(planCollection({ store, blobs, now: registry.time.now, since: 0 }));
}

async function listOf(items: AsyncIterable<Collected>): Promise<readonly Collected[]> {
  const list: Collected[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Runs the recurring job, which checks only repositories that may have new garbage since its last run. */
function collectingJob({ store, blobs, registry }: TestDistribution): () => Promise<readonly Collected[]> {
  const clock = { now: () => registry.time.now };
  const seen: Collected[] = [];
  const jobs = collectionJobs({ store, blobs, clock, onCollected: (item) => seen.push(item) });
  return async () => {
    await enqueueJob(store.db, collectGarbageJob.of(null), clock);
    await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
    return seen.splice(0);
  };
}

function namesOf(items: readonly Collected[]): readonly (readonly [kind: string, what: string])[] {
  return items.map(({ kind, what }) => [kind, what]);
}

function kindsOf(items: readonly Collected[]): readonly string[] {
  return items.map(({ kind }) => kind).sort();
}

/** The distinct calls. */
function wordsOf(items: readonly Collected[]): readonly string[] {
  return [...new Set(items.map(({ kind, what }) => `${kind} ${what}`))].sort();
}

async function fileCount({ folder }: TestDistribution): Promise<number> {
  const entries = await readdir(join(folder, "blobs"), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
}

async function usageOf({ store }: TestDistribution): Promise<number> {
  return namespaceUsage(store.db, (await findAccount(store.db, "alice"))?.id ?? "");
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "collectGarbage on $title",
  ({ engine }) => {
    const test = (title: string, run: (world: TestDistribution) => Promise<void>) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using world = await openTestDistribution({ engine: engine as TestEngine });
        await run(world);
      });

    test("removes an image when its tag cannot be restored any more, after planning that", async (world) => {
      const { digest, config, layer } = await world.pushImage(name, "latest");
      await world.pushImage(name, "other", { layer: "another layer" });
      await world.send("DELETE", `${name}/manifests/latest`);
      world.registry.time.now += window - 1;
      expect(await plan(world)).toEqual([]);
      expect(await collect(world)).toEqual([]);
      world.registry.time.now += 1;
      const before = await usageOf(world);

      const planned = await plan(world);
      const filesBefore = await fileCount(world);
      const collected = await collect(world);

      expect(collected).toEqual(planned);
      expect(collected.map(({ kind, what, sizeBytes }) => [kind, what, sizeBytes])).toEqual([
        ["tag", "latest", 0],
        ["manifest", digest, expect.any(Number)],
        ["link", layer, 0],
        ["blob", layer, "a layer".length],
      ]);
      expect(collected.every(({ why }) => why.length > 10)).toBe(true);
      expect([filesBefore, await fileCount(world)]).toEqual([3, 2]);
      expect(await usageOf(world)).toBe(before - "a layer".length);
      expect((await world.send("HEAD", `${name}/blobs/${config}`)).status).toBe(200);
      expect((await world.send("HEAD", `${name}/blobs/${layer}`)).status).toBe(404);
      expect(await collect(world)).toEqual([]);
    });

    test("ends signatures with an image that expires, after planning that, and removes them together with the image", async (world) => {
      const { store, registry } = world;
      const runJob = collectingJob(world);
      const run = async () => namesOf(await runJob());
      const image = await world.pushImage(name, "latest");
      const signature = `${image.digest.replace(":", "-")}.sig`;
      const signed = await world.pushImage(name, signature, { layer: "a signature" });
      const endAt = registry.time.now + 1000;
      await store.db.updateTable("tag").set({ end_at: endAt }).where("name", "=", "latest").execute();
      const pulled = async () => (await world.send("HEAD", `${name}/manifests/${signature}`)).status;

      const before = [await run(), await pulled()];
      registry.time.now += 5000;
      const planned = namesOf(await plan(world));
      const after = [await pulled(), await run(), await pulled()];
      registry.time.now = endAt + window - 1;
      const restorable = await run();
      registry.time.now += 1;
      const last = await run();

      expect(before).toEqual([[], 200]);
      expect(planned).toEqual([["tag", signature]]);
      expect(after).toEqual([200, planned, 404]);
      expect(restorable).toEqual([]);
      expect(last.filter(([kind]) => kind !== "link" && kind !== "blob")).toEqual(
        expect.arrayContaining([
          ["tag", "latest"],
          ["tag", signature],
          ["manifest", image.digest],
          ["manifest", signed.digest],
        ]),
      );
      expect([await fileCount(world), await usageOf(world)]).toEqual([0, 0]);
    });

    test("keeps what an index or a subject refers to, and referrers as long as their subject", async (world) => {
      const child = await world.pushImage(name, undefined, { layer: "child" });
      const subject = { mediaType: ociManifestType, digest: child.digest, size: child.content.length };
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests: [subject] });
      const headers = { "content-type": ociIndexType };
      await world.send("PUT", `${name}/manifests/index`, { headers, body: index });
      const referrer = await world.pushImage(name, undefined, { layer: "signature", manifest: { subject } });
      const loose = await world.pushImage(name, undefined, { layer: "loose" });
      world.registry.time.now += graceMs.links;

      const first = await collect(world);

      expect(namesOf(first)).toEqual([
        ["manifest", loose.digest],
        ["link", loose.layer],
        ["blob", loose.layer],
      ]);
      expect((await world.send("GET", `${name}/manifests/${referrer.digest}`)).status).toBe(200);

      await world.send("DELETE", `${name}/manifests/index`);
      world.registry.time.now += window;
      expect(kindsOf((await collect(world)).filter(({ kind }) => kind !== "link"))).toEqual([
        "blob",
        "blob",
        "blob",
        "manifest",
        "manifest",
        "manifest",
        "tag",
      ]);
      expect(await fileCount(world)).toBe(0);
      expect(await usageOf(world)).toBe(0);
    });

    test("keeps the content of unfinished pushes, and removes that of abandoned ones", async (world) => {
      const digest = await world.pushBlob(name, "waiting for its manifest");
      const started = await world.send("POST", `${name}/blobs/uploads/`);
      const location = started.headers.get("location") ?? "";
      await world.send("PATCH", location, { body: "half" });
      await world.pushImage(name, undefined);
      world.registry.time.now += graceMs.links - 1;
      expect((await collect(world)).map(({ kind }) => kind)).toEqual(["manifest"]);
      const head = await world.send("HEAD", `${name}/blobs/${digest}`);
      world.registry.time.now += graceMs.links / 2;
      const afterHead = await collect(world);

      world.registry.time.now += graceMs.uploads;
      const late = await collect(world);

      expect(head.status).toBe(200);
      expect(afterHead.map(({ what }) => what)).not.toContain(digest);
      expect(kindsOf(late)).toEqual(["blob", "link", "upload"]);
      expect((await world.send("GET", location)).status).toBe(404);
      expect(await fileCount(world)).toBe(0);
    });

    test("removes the remains of a crash: files without a row, uploads without a row", async (world) => {
      const started = await world.send("POST", `${name}/blobs/uploads/`);
      const id = started.headers.get("location")?.split("/").at(-1) ?? "";
      const bytes = async function* () {
        yield new TextEncoder().encode("stored");
      };
      await world.blobs.append(id, bytes(), { offset: 0, maxBytes: 100 });
      const digest = digestOf("stored");
      await world.store.db.updateTable("upload").set({ digest }).where("id", "=", id).execute();
      await world.blobs.commit(id, digest as never);
      await world.blobs.append("unknown", bytes(), { offset: 0, maxBytes: 100 });
      world.registry.time.now += graceMs.uploads;

      const collected = await collect(world);

      expect(namesOf(collected)).toEqual([
        ["upload", id],
        ["upload", "unknown"],
      ]);
      expect(await fileCount(world)).toBe(0);
    });

    test("removes deleted repositories and namespaces, with and without their jobs", async (world) => {
      const { store, blobs, registry } = world;
      const clock = { now: () => registry.time.now };
      const bob = await registry.user("bob");
      await world.pushImage("alice/one", "latest");
      await world.pushImage("alice/two", "latest", { layer: "two" });
      await world.send("POST", "bob/own/blobs/uploads/", { as: "bob" });
      const one = await findImageRepository(store.db, "alice", "one");
      const two = await findImageRepository(store.db, "alice", "two");
      if (one === undefined || two === undefined) throw new Error("the repositories are missing");
      await store.transaction(async (db) => {
        await deleteRepository(db, one, clock);
        await deleteNamespace(db, bob, clock);
      });

      const jobs = collectionJobs({ store, blobs, clock });
      await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });

      expect(await store.db.selectFrom("image_repository").select("name").execute()).toEqual([{ name: "two" }]);
      expect(await store.db.selectFrom("retired_namespace").selectAll().execute()).toEqual([]);
      expect(await findAccount(store.db, bob.id)).toBeUndefined();
      expect(await fileCount(world)).toBe(3);
      expect(kindsOf(await collect(world))).toEqual(["blob"]);
      await store.db
        .updateTable("image_repository")
        .set({ state: "deleted", name: two.id })
        .where("id", "=", two.id)
        .execute();
      expect(kindsOf(await plan(world))).toEqual(["blob", "blob", "repository"]);
      expect(kindsOf(await collect(world))).toEqual(["blob", "blob", "repository"]);
      expect([await fileCount(world), await usageOf(world)]).toEqual([0, 0]);
    });

    test("removes many tags in consistent steps, while others push and collect", async (world) => {
      const { store, blobs, registry } = world;
      for (let number = 0; number < 105; number++)
        await world.pushImage(name, `v${number}`, { layer: `layer ${number}` });
      await store.db.updateTable("tag").set({ end_at: registry.time.now }).execute();
      registry.time.now += window;
      const { now } = registry.time;
      const planned = await plan(world);

      const first: Collected[] = [];
      for await (const item of collectGarbage({ store, blobs, now, since: 0 })) if (first.push(item) === 300) break;
      const left = await store.db.selectFrom("image_manifest").select("id").execute();
      await checkUsage(world);
      const { config } = await world.pushImage(name, "meanwhile");
      const again = () => listOf(collectGarbage({ store, blobs, now, since: now }));
      const rest = (await Promise.all([again(), again()])).flat();

      expect(kindsOf(first)).toEqual(["link", "manifest", "tag"].flatMap((kind) => Array(100).fill(kind)));
      expect(left).toHaveLength(5);
      expect(wordsOf([...first, ...rest])).toEqual(wordsOf(planned.filter(({ what }) => what !== config)));
      await checkTags(world);
      await checkUsage(world);
    });

    test("stops between two steps when it is told to", async (world) => {
      const { store, blobs, registry } = world;
      await world.pushImage(name, "latest");
      await world.send("DELETE", `${name}/manifests/latest`);
      registry.time.now += window;
      const stopping = new AbortController();
      const { signal } = stopping;

      const stopped = (async () => {
        const since = 0;
        for await (const _ of collectGarbage({ store, blobs, now: registry.time.now, since, signal })) stopping.abort();
      })();

      await expect(stopped).rejects.toThrow("aborted");
      expect(kindsOf(await collect(world))).toEqual(["blob", "blob"]);
    });

    test("skips a repository that is deleted and removed meanwhile", async (world) => {
      const { store, blobs, registry } = world;
      for (const each of ["alice/one", "alice/two"]) await world.pushImage(each, undefined, { layer: each });
      registry.time.now += graceMs.manifests;
      const collection = collectGarbage({ store, blobs, now: registry.time.now, since: 0 })[Symbol.asyncIterator]();
      const { value: first } = await collection.next();
      await store.db
        .updateTable("image_repository")
        .set(({ ref }) => ({ state: "deleted", name: ref("id") }))
        .where("id", "!=", first?.repositoryId ?? "")
        .execute();

      const others = await Promise.all([collect(world), collect(world), collect(world)]);
      const rest = await listOf({ [Symbol.asyncIterator]: () => collection });

      expect(first).toMatchObject({ kind: "manifest" });
      expect(kindsOf(others.flat())).toContain("repository");
      expect(rest).toEqual([]);
      expect(await store.db.selectFrom("image_repository").selectAll().execute()).toHaveLength(1);
    });

    test("checks again only repositories that may have new garbage", async (world) => {
      const { registry } = world;
      const runJob = collectingJob(world);
      const run = async () => kindsOf(await runJob());
      await world.pushImage(name, "latest");
      await world.pushImage(name, undefined, { layer: "loose" });
      await world.pushBlob(name, "never used");

      expect(await run()).toEqual([]);
      registry.time.now += graceMs.manifests;
      expect(await run()).toEqual(["manifest"]);
      registry.time.now += graceMs.links;
      expect(await run()).toEqual(["blob", "blob", "link", "link"]);
      await world.send("DELETE", `${name}/manifests/latest`);
      registry.time.now += window;
      expect(await run()).toEqual(["blob", "blob", "link", "link", "manifest", "tag"]);
    });
  },
);

/** The steps of the property below. */
type Step =
  | { readonly kind: "push"; readonly repository: string; readonly tag: string | undefined; readonly layer: string }
  | { readonly kind: "index"; readonly repository: string; readonly tag: string; readonly layer: string }
  | { readonly kind: "delete-tag"; readonly repository: string; readonly tag: string }
  | { readonly kind: "delete-manifests"; readonly repository: string; readonly layer: string }
  | { readonly kind: "mount-from"; readonly repository: string; readonly tag: string; readonly from: string }
  | { readonly kind: "delete-repository"; readonly repository: string }
  | { readonly kind: "collect" }
  | { readonly kind: "wait"; readonly days: number };

const repository = fc.constantFrom("alice/one", "alice/two");
const tag = fc.constantFrom("a", "b");
const layer = fc.constantFrom("x", "y", "z");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("push"), repository, tag: fc.option(tag, { nil: undefined }), layer }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("index"), repository, tag, layer }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete-tag"), repository, tag }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete-manifests"), repository, layer }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("mount-from"), repository, tag, from: repository }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete-repository"), repository }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("collect") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait"), days: fc.constantFrom(1, 15) }) },
) as fc.Arbitrary<Step>;

/** A push may be refused if it took so long that its blobs were collected or its repository was deleted. */
async function perform(world: TestDistribution, each: Step): Promise<void> {
  switch (each.kind) {
    case "push":
      return void (await world.pushImage(each.repository, each.tag, { layer: each.layer }).catch(allowRefusal));
    case "index": {
      const child = await world.pushImage(each.repository, undefined, { layer: each.layer }).catch(allowRefusal);
      if (child === undefined) return;
      const manifests = [{ mediaType: ociManifestType, digest: child.digest, size: child.content.length }];
      const body = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });
      const headers = { "content-type": ociIndexType };
      return void (await world.send("PUT", `${each.repository}/manifests/${each.tag}`, { headers, body }));
    }
    case "delete-tag":
      return void (await world.send("DELETE", `${each.repository}/manifests/${each.tag}`));
    case "delete-manifests": {
      const rows = await world.store.db.selectFrom("image_manifest").select("digest").execute();
      for (const { digest } of rows) await world.send("DELETE", `${each.repository}/manifests/${digest}`);
      return;
    }
    case "mount-from":
      return mountImage(world, each);
    case "delete-repository": {
      const { store, registry } = world;
      const [namespace = "", repositoryName = ""] = each.repository.split("/");
      const found = await findImageRepository(store.db, namespace, repositoryName);
      const clock = { now: () => registry.time.now };
      if (found !== undefined) await store.transaction((db) => deleteRepository(db, found, clock));
      return;
    }
    case "collect":
      return void (await collect(world));
    case "wait":
      world.registry.time.now += each.days * 86_400_000;
  }
}

/** Puts a tag's image into a repository by mounting its existing blobs. */
async function mountImage(
  { send }: TestDistribution,
  { repository, tag, from }: Extract<Step, { readonly kind: "mount-from" }>,
): Promise<void> {
  const found = await send("GET", `${from}/manifests/${tag}`);
  if (found.status !== 200) return;
  const body = await found.text();
  const { config, layers = [] } = JSON.parse(body) as AnyManifest;
  if (config === undefined) return;
  for (const { digest } of [config, ...layers]) {
    await send("POST", `${repository}/blobs/uploads/?mount=${digest}&from=${from}`);
  }
  await send("PUT", `${repository}/manifests/${tag}`, { headers: { "content-type": ociManifestType }, body });
}

function allowRefusal(error: unknown): undefined {
  if (error instanceof Error && /MANIFEST_BLOB_UNKNOWN|NAME_UNKNOWN|BLOB_UPLOAD_UNKNOWN/.test(error.message))
    return undefined;
  throw error;
}

/** Every alive tag leads to all of its content. */
async function checkTags(world: TestDistribution): Promise<void> {
  for (const each of ["alice/one", "alice/two"]) {
    const list = await world.send("GET", `${each}/tags/list`);
    if (list.status === 404) continue;
    for (const name of ((await list.json()) as { tags: string[] }).tags) await checkManifest(world, each, name);
  }
}

interface AnyManifest {
  readonly config?: { readonly digest: string };
  readonly layers?: readonly { readonly digest: string }[];
}

async function checkManifest(world: TestDistribution, where: string, reference: string): Promise<void> {
  const response = await world.send("GET", `${where}/manifests/${reference}`);
  expect([where, reference, response.status]).toEqual([where, reference, 200]);
  const { config, layers = [] } = (await response.json()) as AnyManifest;
  for (const { digest } of config === undefined ? layers : [config, ...layers]) {
    const blob = await world.send("GET", `${where}/blobs/${digest}`);
    expect([reference, digest, digestOf(await blob.bytes())]).toEqual([reference, digest, digest]);
  }
}

/** The usage of a namespace or a repository is the size of its manifests' blobs. */
async function checkUsage({ store }: TestDistribution): Promise<void> {
  const { kept, counted } = await recountUsage(store.db);
  expect(kept).toEqual(counted);
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "pushes, deletions and collections at once on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "leave no tag that points at missing content, and nothing that is not used",
      async () => {
        const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 3, maxLength: 8 });
        const property = fc.asyncProperty(batches, async (all) => {
          await using world = await openTestDistribution({ engine: engine as TestEngine });
          for (const batch of all) {
            await Promise.all(batch.map((each) => perform(world, each)));
            await checkTags(world);
            await checkUsage(world);
          }
          for (const each of ["alice/one", "alice/two"]) {
            for (const name of ["a", "b"]) await world.send("DELETE", `${each}/manifests/${name}`);
          }
          world.registry.time.now += window + graceMs.uploads;
          await collect(world);
          await checkUsage(world);
          expect([await fileCount(world), await usageOf(world)]).toEqual([0, 0]);
        });
        await fc.assert(property, { numRuns: engine.shared ? 3 : fullTestRuns(10) });
      },
    );
  },
);
