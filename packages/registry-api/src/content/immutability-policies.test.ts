import { findAccount } from "@plimsoll/registry/access/queries";
import { protectTagsJob } from "@plimsoll/registry/content/jobs";
import { runDueJobs, systemTime } from "@plimsoll/store";
import { expect } from "vitest";
import { errorOf, onEachEngine } from "../fixtures/each-engine.ts";
import { ociManifestType, type PushedImage, type TestDistribution } from "../fixtures/test-distribution.ts";

const name = "acme/app";
const policies = "/organization/acme/immutabilitypolicy/";
const tags = `/repository/${name}/tag/`;

/** An organization whose repository has the tags `v1`, which expires, and `latest`. */
async function openWorld(world: TestDistribution) {
  const { registry, store, send } = world;
  const alice = await findAccount(store.db, "alice", "user");
  if (alice === undefined) throw new Error("no alice");
  const call = await registry.session(alice);
  await call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
  const held = await world.pushImage(name, "v1", { layer: "one" });
  const other = await world.pushImage(name, "latest", { layer: "two" });
  const expiration = Math.floor(registry.time.now / 1000) + 3600;
  expect((await call("PUT", `${tags}v1`, { expiration })).status).toBe(201);
  const clock = { now: () => registry.time.now };
  return {
    ...{ call, held, other },
    put: (tag: string, { content }: PushedImage) =>
      send("PUT", `${name}/manifests/${tag}`, { headers: { "content-type": ociManifestType }, body: content }),
    /** Names of the tags that are immutable. */
    immutable: async () => {
      const { body } = await call("GET", `${tags}?onlyActiveTags=true`);
      const shown = body.tags as readonly {
        readonly name: string;
        readonly immutable: boolean;
        readonly end_ts?: number;
      }[];
      return shown.flatMap((tag) => (tag.immutable ? [tag.end_ts ? `${tag.name} ends` : tag.name] : [])).sort();
    },
    work: () =>
      runDueJobs({
        store,
        jobs: [protectTagsJob.withContext({ store, clock })],
        clock,
        random: () => 0,
        sleep: systemTime.sleep,
      }),
  };
}

onEachEngine("immutability policies of an organization", (test) => {
  test("protect the tags of its repositories on every path, those that are there and those to come", async (world) => {
    const { call, put, held, other, immutable, work } = await openWorld(world);
    const { send } = world;

    const made = await call("POST", policies, { tagPattern: "v[0-9]+" });
    expect((await put("v2", held)).status).toBe(201);
    expect([made.status, await immutable()]).toEqual([201, ["v2"]]);
    await work();

    expect(await immutable()).toEqual(["v1", "v2"]);
    const api = async (method: "POST" | "PUT" | "DELETE", to: string, body?: unknown) =>
      (await call(method, `${tags}${to}`, body)).status;
    expect([
      await errorOf(await put("v1", other)),
      await errorOf(await send("DELETE", `${name}/manifests/v1`)),
      await errorOf(await send("DELETE", `${name}/manifests/${held.digest}`)),
      await api("PUT", "v1", { manifest_digest: other.digest }),
      await api("POST", "v1/restore", { manifest_digest: other.digest }),
      await api("DELETE", "v1"),
      await api("PUT", "v1", { expiration: 4e9 }),
      await api("PUT", "v1", { immutable: false }),
    ]).toEqual(["409 DENIED", "409 DENIED", "409 DENIED", 409, 409, 409, 409, 409]);
    expect((await put("latest", held)).status).toBe(201);
  });

  test("add to those of a repository, which shows both", async (world) => {
    const { call, immutable, work } = await openWorld(world);
    const own = `/repository/${name}/immutabilitypolicy/`;
    await call("POST", policies, { tagPattern: "v[0-9]+" });
    const { uuid } = (await call("POST", own, { tagPattern: "latest" })).body;
    await work();

    expect(await immutable()).toEqual(["latest", "v1"]);
    expect((await call("GET", own)).body).toMatchObject({
      policies: [{ tagPattern: "latest" }],
      inherited: [{ tagPattern: "v[0-9]+" }],
    });
    expect((await call("DELETE", `${own}${uuid}`)).status).toBe(204);
    expect(await immutable()).toEqual(["v1"]);
  });

  test("free what no policy protects any more, and are told of in the usage log", async (world) => {
    const { call, put, other, immutable, work } = await openWorld(world);
    const { uuid } = (await call("POST", policies, { tagPattern: "v[0-9]+" })).body;
    await work();

    const removed = await call("DELETE", `${policies}${uuid}`);
    await work();

    expect([removed.status, await immutable()]).toEqual([204, []]);
    expect((await put("v1", other)).status).toBe(201);
    expect((await call("DELETE", `${policies}${uuid}`)).status).toBe(404);
    const logged = (await world.registry.usageLog()).filter(({ kind }) => kind.endsWith("immutability_policy"));
    expect(logged).toMatchObject([
      { kind: "create_immutability_policy", metadata: { namespace: "acme", tag_pattern: "v[0-9]+" } },
      { kind: "delete_immutability_policy", metadata: { namespace: "acme", tag_pattern: "v[0-9]+" } },
    ]);
  });

  test("are checked, and few", async (world) => {
    const { call } = await openWorld(world);
    const add = async (tagPattern: string) => (await call("POST", policies, { tagPattern })).status;

    expect([await add("("), await add("v1"), await add("v1")]).toEqual([400, 201, 400]);
    for (let n = 0; n < 19; n++) expect(await add(`v1.${n}`)).toBe(201);
    expect(await add("one more")).toBe(400);
  });
});
