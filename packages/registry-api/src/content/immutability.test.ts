import { randomUUID } from "node:crypto";
import { findAccount } from "@plimsoll/registry/access/queries";
import { lockRepository } from "@plimsoll/registry/content/queries/blobs";
import type { Visibility } from "@plimsoll/registry/store/tables/content";
import { expect } from "vitest";
import { errorOf, onEachEngine } from "../fixtures/each-engine.ts";
import { ociManifestType, type TestDistribution } from "../fixtures/test-distribution.ts";

const name = "alice/images";
const path = `/repository/${name}`;

/** A repository whose tag `v1` is immutable, by a request or by a policy for `v.*`. */
async function openHeld({ registry, pushImage, store }: TestDistribution, by: "request" | "policy") {
  const alice = await findAccount(store.db, "alice", "user");
  if (alice === undefined) throw new Error("no alice");
  const call = await registry.session(alice);
  const held = await pushImage(name, "v1", { layer: "one" });
  const other = await pushImage(name, "latest", { layer: "two" });
  const answer =
    by === "policy"
      ? await call("POST", `${path}/immutabilitypolicy/`, { tagPattern: "v[0-9]+" })
      : await call("PUT", `${path}/tag/v1`, { immutable: true });
  expect(answer.status).toBe(201);
  return { call, held, other, uuid: answer.body.uuid as string };
}

/** The digest of the tag, with what shows whether it is the same lifetime. */
async function stateOf({ registry }: TestDistribution) {
  const { body } = await registry.anonymous("GET", `${path}/tag/?specificTag=v1`);
  return body.tags;
}

onEachEngine("immutable tags", (test) => {
  for (const by of ["request", "policy"] as const) {
    test(`by a ${by} are changed by no path`, async (world) => {
      const { send, store } = world;
      const { call, held, other } = await openHeld(world, by);
      await store.db
        .updateTable("image_repository")
        .set({ visibility: "public" satisfies Visibility })
        .execute();
      const before = await stateOf(world);
      const put = (reference: string) =>
        send("PUT", `${name}/manifests/${reference}`, {
          headers: { "content-type": ociManifestType },
          body: other.content,
        });
      const api = async (method: "POST" | "PUT" | "DELETE", to: string, body?: unknown) => {
        const answer = await call(method, `${path}/tag/${to}`, body);
        return `${answer.status} ${answer.body?.title}: ${answer.body?.detail}`;
      };

      expect(before).toMatchObject([{ name: "v1", immutable: true, manifest_digest: held.digest }]);
      expect(await errorOf(await put("v1"))).toBe("409 DENIED");
      expect(await errorOf(await put(`${other.digest}?tag=v2-rc&tag=v1`))).toBe("409 DENIED");
      expect(await errorOf(await send("DELETE", `${name}/manifests/v1`))).toBe("409 DENIED");
      expect(await errorOf(await send("DELETE", `${name}/manifests/${held.digest}`))).toBe("409 DENIED");
      const overwrite = "409 tag_immutable: Cannot overwrite immutable tag 'v1'";
      expect(await api("PUT", "v1", { manifest_digest: other.digest })).toBe(overwrite);
      expect(await api("POST", "v1/restore", { manifest_digest: other.digest })).toBe(overwrite);
      expect(await api("DELETE", "v1")).toBe("409 tag_immutable: Cannot delete immutable tag 'v1'");
      expect(await api("PUT", "v1", { expiration: 4e9 })).toBe("409 tag_immutable: Cannot expire immutable tag 'v1'");
      const label = { key: "quay.expires-after", value: "2h", media_type: "text/plain" };
      await call("POST", `${path}/manifest/${held.digest}/labels`, label);
      expect(await stateOf(world)).toEqual(before);
      expect((await send("GET", `${name}/manifests/v2-rc`)).status).toBe(404);
      expect(await (await send("GET", `${name}/manifests/v1`)).text()).toBe(held.content);
    });

    test(`by a ${by} accept a push of their own manifest, and stay as they are`, async (world) => {
      const { held } = await openHeld(world, by);
      await world.store.db.updateTable("image_repository").set({ visibility: "public" }).execute();
      const before = await stateOf(world);
      world.registry.time.now += 1000;

      const again = await world.send("PUT", `${name}/manifests/v1`, {
        headers: { "content-type": ociManifestType },
        body: held.content,
      });

      expect(again.status).toBe(201);
      expect(await stateOf(world)).toEqual(before);
    });
  }

  test("cannot have an end in the database", async (world) => {
    await openHeld(world, "request");

    const ended = world.store.db.updateTable("tag").set({ end_at: 1 }).where("name", "=", "v1").execute();

    await expect(ended).rejects.toThrow();
  });

  test("are made so again by admins only, in a request that may then move them", async (world) => {
    const { call, other } = await openHeld(world, "request");
    const { registry, store } = world;
    const writer = await registry.user("writer");
    const repository = await store.db.selectFrom("image_repository").selectAll().executeTakeFirstOrThrow();
    await store.db
      .insertInto("account_permission")
      .values({ account_id: writer.id, repository_id: repository.id, role: "write" })
      .execute();
    const asWriter = await registry.session(writer);
    const change = { immutable: false, manifest_digest: other.digest };

    const refused = await asWriter("PUT", `${path}/tag/v1`, change);
    const changed = await call("PUT", `${path}/tag/v1`, change);

    expect([refused.status, changed.status]).toEqual([403, 201]);
    const { body } = await call("GET", `${path}/tag/?specificTag=v1&onlyActiveTags=true`);
    expect(body.tags).toMatchObject([{ immutable: false, manifest_digest: other.digest }]);
    expect((await registry.usageLog()).filter(({ kind }) => kind === "change_tag_immutability")).toMatchObject([
      { metadata: { tag: "v1", repo: "images", immutable: true, previous_immutable: false } },
      { metadata: { tag: "v1", repo: "images", immutable: false, previous_immutable: true } },
    ]);
  });

  test("do not expire: a request has to take the expiration away, a policy does", async (world) => {
    const { call, uuid } = await openHeld(world, "policy");
    const { other } = { other: await world.pushImage(name, "dev", { labels: { "quay.expires-after": "2h" } }) };
    const refused = await call("PUT", `${path}/tag/dev`, { immutable: true });
    await call("POST", `${path}/immutabilitypolicy/`, { tagPattern: "dev" });
    await world.pushImage(name, "v7", { labels: { "quay.expires-after": "2h" }, layer: "seven" });
    const started = await call("PUT", `${path}/tag/v8`, { manifest_digest: other.digest, expiration: 4e9 });

    expect([refused.status, started.status]).toEqual([400, 409]);
    const { body } = await call("GET", `${path}/tag/?onlyActiveTags=true`);
    const shown = body.tags.map((tag: { name: string; immutable: boolean; end_ts?: number }) => [
      tag.name,
      tag.immutable,
      tag.end_ts,
    ]);
    expect(Object.fromEntries(shown.map(([each, ...rest]: readonly unknown[]) => [each, rest]))).toEqual({
      latest: [false, undefined],
      v1: [true, undefined],
      dev: [true, undefined],
      v7: [true, undefined],
    });
    expect((await call("PUT", `${path}/tag/v1`, { immutable: false })).status).toBe(409);
    expect((await call("DELETE", `${path}/immutabilitypolicy/${uuid}`)).status).toBe(204);
    expect((await call("DELETE", `${path}/tag/v1`)).status).toBe(204);
    expect((await call("DELETE", `${path}/tag/dev`)).status).toBe(409);
  });

  test("come from policies that describe whole names, and never signatures", async (world) => {
    const { call, held } = await openHeld(world, "policy");
    await call("POST", `${path}/immutabilitypolicy/`, { tagPattern: "latest", tagPatternMatches: false });
    for (const tag of ["dev-v1", `${held.digest.replace(":", "-")}.sig`]) await world.pushImage(name, tag);

    const { body } = await call("GET", `${path}/tag/?onlyActiveTags=true`);

    const immutable = body.tags.flatMap((tag: { name: string; immutable: boolean }) =>
      tag.immutable ? [tag.name] : [],
    );
    expect(immutable.sort()).toEqual(["dev-v1", "v1"]);
  });

  test("come from at most 20 different policies, whose patterns are those of RE2", async (world) => {
    const { call } = await openHeld(world, "policy");
    const add = async (tagPattern: unknown) =>
      (await call("POST", `${path}/immutabilitypolicy/`, { tagPattern })).status;

    expect(await add("v[0-9]+")).toBe(400);
    expect(await add("(")).toBe(400);
    expect(await add("(a)\\1")).toBe(400);
    expect(await add("")).toBe(400);
    expect(await add("a".repeat(257))).toBe(400);
    for (let index = 1; index < 20; index++) expect(await add(`x${index}`)).toBe(201);
    expect(await add("x20")).toBe(400);
    expect((await call("DELETE", `${path}/immutabilitypolicy/${randomUUID()}`)).status).toBe(404);
    expect((await call("GET", `${path}/immutabilitypolicy/`)).body.policies).toHaveLength(20);
  });

  test("are protected by a policy that is made while they are pushed", async (world) => {
    const { registry, store } = world;
    const { call } = await openHeld(world, "request");
    const repository = await store.db.selectFrom("image_repository").selectAll().executeTakeFirstOrThrow();
    await call("POST", `${path}/immutabilitypolicy/`, { tagPattern: "v9" });
    const locked = await store.transaction((db) => lockRepository(db, repository.id));

    expect(JSON.parse(locked.immutability_policies)).toMatchObject([{ tagPattern: "v9", tagPatternMatches: true }]);
    await world.pushImage(name, "v9", { layer: "nine" });
    expect((await call("DELETE", `${path}/tag/v9`)).status).toBe(409);
    expect((await registry.usageLog()).map(({ kind }) => kind)).toContain("create_immutability_policy");
  });
});
