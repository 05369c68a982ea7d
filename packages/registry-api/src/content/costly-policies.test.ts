import { randomUUID } from "node:crypto";
import { findAccount } from "@plimsoll/registry/access/queries";
import { protectTagsJob } from "@plimsoll/registry/content/jobs";
import { runDueJobs, systemTime } from "@plimsoll/store";
import { expect } from "vitest";
import { errorOf, onEachEngine } from "../fixtures/each-engine.ts";
import { ociManifestType, type TestDistribution } from "../fixtures/test-distribution.ts";

const name = "alice/images";
const policies = `/repository/${name}/immutabilitypolicy/`;

/** Takes sixteen seconds of a processor for a thousand tags, and was accepted by older versions. */
const huge = "((a|b|c|aa|ab|ba){0,30}){0,30}x";

async function openWorld({ registry, pushImage, store }: TestDistribution) {
  const alice = await findAccount(store.db, "alice", "user");
  if (alice === undefined) throw new Error("no alice");
  const call = await registry.session(alice);
  const image = await pushImage(name, "first", { layer: "one" });
  const clock = { now: () => registry.time.now };
  return {
    ...{ call, image },
    /** Names of the tags that are immutable. */
    immutable: async () => {
      const tags = store.db
        .selectFrom("tag")
        .select("name")
        .where("immutable_by", "=", "policy")
        .where("end_at", "is", null);
      return (await tags.orderBy("name").execute()).map((tag) => tag.name);
    },
    /** Stores policies as an older version did. */
    setStored: (...tagPatterns: readonly string[]) =>
      store.db
        .updateTable("image_repository")
        .set({
          immutability_policies: JSON.stringify(
            tagPatterns.map((tagPattern) => ({ uuid: randomUUID(), tagPattern, tagPatternMatches: true })),
          ),
        })
        .execute(),
    addTags: async (count: number) => {
      const tag = await store.db.selectFrom("tag").selectAll().executeTakeFirstOrThrow();
      const rows = Array.from({ length: count }, (_, at) => ({ ...tag, id: randomUUID(), name: `v${1000 + at}` }));
      await store.db.insertInto("tag").values(rows).execute();
    },
    work: () =>
      runDueJobs({
        store,
        jobs: [protectTagsJob.withContext({ store, clock })],
        ...{ clock, random: () => 0, sleep: systemTime.sleep },
      }),
  };
}

onEachEngine("immutability policies that take long", (test) => {
  test("are refused one by one and together, with what to do", async (world) => {
    const { call } = await openWorld(world);
    const add = async (tagPattern: string) => {
      const { status, body } = await call("POST", policies, { tagPattern });
      return [status, body?.detail];
    };

    expect(await add(huge)).toEqual([400, expect.stringMatching(/^tagPattern: takes \d+ steps .* use smaller counts/)]);
    for (const letter of "abcd") expect(await add(`${letter}{230}`)).toEqual([201, undefined]);
    expect(await add("e{230}")).toEqual([
      400,
      expect.stringMatching(/ take 1165 steps together .* more than 1000: use fewer/),
    ]);
  });

  test("protect all tags that are put if an older version stored them, say why, and can be deleted", async (world) => {
    const { call, image, immutable, setStored } = await openWorld(world);
    await setStored("v[0-9]+", huge);
    const put = (tag: string) =>
      world.send("PUT", `${name}/manifests/${tag}`, {
        headers: { "content-type": ociManifestType },
        body: image.content,
      });

    expect((await put("anything")).status).toBe(201);
    const listed = (await call("GET", policies)).body.policies;
    expect(listed).toEqual([
      { uuid: expect.any(String), tagPattern: "v[0-9]+", tagPatternMatches: true },
      expect.objectContaining({ tagPattern: huge, problem: expect.stringContaining("more than 500") }),
    ]);
    expect(await immutable()).toEqual(["anything"]);
    expect((await call("DELETE", `/repository/${name}/tag/anything`)).status).toBe(409);

    expect((await call("DELETE", `${policies}${listed[1].uuid}`)).status).toBe(204);
    expect(await immutable()).toEqual([]);
  });

  test("apply to many tags by a job, and to those that are pushed meanwhile at once", async (world) => {
    const { call, image, immutable, addTags, work } = await openWorld(world);
    await addTags(1200);

    const { status, body } = await call("POST", policies, { tagPattern: "v1.*" });
    await world.send("PUT", `${name}/manifests/v1x`, {
      headers: { "content-type": ociManifestType },
      body: image.content,
    });
    expect([status, await immutable()]).toEqual([201, ["v1x"]]);
    await work();
    expect(await immutable()).toHaveLength(1001);

    await call("DELETE", `${policies}${body.uuid}`);
    expect(await immutable()).toHaveLength(1001);
    await work();
    expect(await immutable()).toEqual([]);
  });

  test("leave tags that have ended as they are", async (world) => {
    const { call, addTags, work, immutable } = await openWorld(world);
    await addTags(1000);
    const { registry, store } = world;
    await call("POST", policies, { tagPattern: "v.*" });
    await store.db.updateTable("tag").set({ end_at: registry.time.now }).where("name", "<", "v1900").execute();

    await work();

    expect(await immutable()).toHaveLength(100);
  });

  test("refuse a push of more tags than are quickly matched, and accept fewer", async (world) => {
    const { image, setStored } = await openWorld(world);
    await setStored("a{400}", "b{400}");
    const long = "a".repeat(120);
    const push = (count: number) => {
      const tags = Array.from({ length: count }, (_, at) => `tag=${long}${at}`).join("&");
      const headers = { "content-type": ociManifestType };
      return world.send("PUT", `${name}/manifests/${image.digest}?${tags}`, { headers, body: image.content });
    };

    expect(await errorOf(await push(100))).toBe("414 TOO_MANY_TAGS_REQUESTED");
    expect((await push(10)).status).toBe(201);
  });
});
