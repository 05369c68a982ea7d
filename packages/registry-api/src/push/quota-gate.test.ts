import { parseDigest } from "@plimsoll/core/digest";
import { findAccount } from "@plimsoll/registry/access/queries";
import { graceMs } from "@plimsoll/registry/content/lifetimes";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import { namespaceUsage, uploadingBytes } from "@plimsoll/registry/organizations/quotas/queries/usage";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { filesOf, limit, openBody } from "../distribution/fixtures/quota.ts";
import { recountUsage } from "../fixtures/recount-usage.ts";
import { digestOf, openTestDistribution, type TestDistribution } from "../fixtures/test-distribution.ts";

const name = "alice/images";

async function collect({ store, blobs, registry }: TestDistribution): Promise<void> {
  for await (const _ of collectGarbage({ store, blobs, now: registry.time.now, since: 0 }));
}

/** Pushes a blob as a user. @returns its digest */
async function send(
  world: TestDistribution,
  as: string,
  { repository, body }: { readonly repository: string; readonly body: string },
): Promise<string> {
  const digest = digestOf(body);
  const { status } = await world.send("POST", `${repository}/blobs/uploads/?digest=${digest}`, { as, body });
  expect(status).toBe(201);
  return digest;
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "quotas on $title",
  ({ engine }) => {
    const test = (title: string, run: (world: TestDistribution) => Promise<void>, options = {}) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using world = await openTestDistribution({ engine: engine as TestEngine, ...options });
        await run(world);
      });

    test("let the remains of a push that failed give way to the next one, and say what is not free yet", async (world) => {
      const { registry, store } = world;
      const namespaceId = await limit(world, 10_000, ["Reject", 100]);
      await world.pushImage(name, "kept", { layer: "k".repeat(1000) });
      await world.pushBlob(name, "a".repeat(6000));
      const begun = await world.send("POST", `${name}/blobs/uploads/`);
      const paused = begun.headers.get("location") ?? "";
      await world.send("PATCH", paused, { body: "p".repeat(1500) });
      const push = async () => {
        const body = "b".repeat(5000);
        const answer = await world.send("POST", `${name}/blobs/uploads/?digest=${digestOf(body)}`, { body });
        return [answer.status, await answer.text()] as const;
      };

      const [early, why] = await push();
      registry.time.now += 15 * 60_000 + 1;
      const [later] = await push();

      expect([early, later]).toEqual([403, 201]);
      expect(why).toContain("7500 bytes belong to no image: they are of pushes that have not finished, or of deleted");
      const usage = await namespaceUsage(store.db, namespaceId);
      expect(usage).toBeLessThan(6500); // the kept image, and the new blob
      const { kept, counted } = await recountUsage(store.db);
      expect(kept).toEqual(counted);
      expect((await world.send("GET", `${name}/manifests/kept`)).status).toBe(200);
      expect((await world.send("GET", paused)).status).toBe(204); // it has not paused for an hour
      registry.time.now += 3_600_000;
      expect(
        (
          await world.send("POST", `${name}/blobs/uploads/?digest=${digestOf("c".repeat(8000))}`, {
            body: "c".repeat(8000),
          })
        ).status,
      ).toBe(201);
      expect((await world.send("GET", paused)).status).toBe(404);
    });

    test("let no blob give way that a client was just told of", async (world) => {
      await limit(world, 10_000, ["Reject", 100]);
      const known = await world.pushBlob(name, "a".repeat(4000));
      world.registry.time.now += 14 * 60_000;
      expect((await world.send("HEAD", `${name}/blobs/${known}`)).status).toBe(200);
      world.registry.time.now += 2 * 60_000;

      const body = "b".repeat(7000);
      const { status } = await world.send("POST", `alice/other/blobs/uploads/?digest=${digestOf(body)}`, { body });

      expect(status).toBe(403);
      expect((await world.send("HEAD", `${name}/blobs/${known}`)).status).toBe(200);
    });

    test("let a deleted image give way, whose bytes the refusal names for what they are", async (world) => {
      const { registry, store } = world;
      await limit(world, 10_000, ["Reject", 100]);
      const { config } = await world.pushImage(name, "gone", { layer: "a".repeat(6000) });
      const configBytes = Number((await world.send("HEAD", `${name}/blobs/${config}`)).headers.get("content-length"));
      const push = async () => {
        const body = "b".repeat(5000);
        const answer = await world.send("POST", `${name}/blobs/uploads/?digest=${digestOf(body)}`, { body });
        return [answer.status, await answer.text()] as const;
      };

      await world.send("DELETE", `${name}/manifests/gone`);
      const [restorable, whileRestorable] = await push();
      await store.db.updateTable("account").set({ tag_expiration_s: 0 }).execute();
      await collect(world);
      const [early, why] = await push();
      registry.time.now += 15 * 60_000 + 1;
      const [later] = await push();

      expect([restorable, early, later]).toEqual([403, 403, 201]);
      expect(whileRestorable).toContain("Delete tags (their images count until the tags cannot be restored any more)");
      expect(whileRestorable).not.toContain("belong to no image");
      expect(why).toContain(`${6000 + configBytes} bytes belong to no image`);
    });

    test("keep the context of a build that waits, and not that of one that has ended", async (world) => {
      const { registry, store } = world;
      await limit(world, 10_000, ["Reject", 100]);
      const digest = await world.pushBlob(name, "a".repeat(6000));
      const repository = await store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
      const source = JSON.stringify({ kind: "upload", digest });
      const build = {
        id: "b",
        repository_id: repository.id,
        phase: "waiting",
        manual_account_id: null,
        source,
      } as const;
      const texts = { archive_url: "", dockerfile_path: "", context: "", tags: "[]", arguments: "{}" };
      const none = { pull_robot_id: null, error: null, token_hash: null, token_expires_at: null } as const;
      const row = { ...build, ...texts, ...none, manifest_digest: null, trigger_id: null, created_at: 1 };
      await store.db.insertInto("build").values(row).execute();
      registry.time.now += 3_600_000;
      const body = "b".repeat(5000);
      const push = async () =>
        (await world.send("POST", `alice/other/blobs/uploads/?digest=${digestOf(body)}`, { body })).status;

      const waiting = await push();
      await store.db.updateTable("build").set({ phase: "complete" }).execute();

      expect([waiting, await push()]).toEqual([403, 201]);
    });

    test("keep the blobs of a push whose next blob is still under way", async (world) => {
      const { registry } = world;
      await limit(world, 10_000, ["Reject", 100]);
      const digest = await world.pushBlob(name, "a".repeat(6000));
      const begun = await world.send("POST", `${name}/blobs/uploads/`);
      const location = begun.headers.get("location") ?? "";
      registry.time.now += 14 * 60_000;
      await world.send("PATCH", location, { body: "b" });
      registry.time.now += 14 * 60_000;

      const other = "c".repeat(5000);
      const refused = await world.send("POST", `alice/other/blobs/uploads/?digest=${digestOf(other)}`, { body: other });

      expect(refused.status).toBe(403);
      expect((await world.send("HEAD", `${name}/blobs/${digest}`)).status).toBe(200);
    });

    test("count each blob once for a namespace and once for each repository", async (world) => {
      const namespaceId = await limit(world, 1_000_000);
      const one = await world.pushImage("alice/one", "a", { layer: "x".repeat(1000) });
      await world.pushImage("alice/one", "b", { layer: "x".repeat(1000), manifest: { annotations: { b: "b" } } });
      await world.pushImage("alice/two", "a", { layer: "x".repeat(1000) });

      const configBytes = Number(
        (await world.send("HEAD", `alice/one/blobs/${one.config}`)).headers.get("content-length"),
      );
      const sizes = await world.store.db.selectFrom("image_repository").select("size_bytes").execute();

      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(1000 + configBytes);
      expect(sizes.map(({ size_bytes }) => size_bytes)).toEqual([1000 + configBytes, 1000 + configBytes]);
    });

    test("refuse a manifest that would reach them, and keep nothing of it", async (world) => {
      const namespaceId = await limit(world, 1000, ["Warning", 10], ["Reject", 90]);
      await world.pushImage(name, "a", { layer: "x".repeat(500) });
      const before = await namespaceUsage(world.store.db, namespaceId);

      await expect(world.pushImage(name, "b", { layer: "y".repeat(500) })).rejects.toThrow(
        `Quota has been exceeded on namespace: it uses ${before} bytes of less than 900 that are allowed, and this would add 500 bytes. Delete tags`,
      );

      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(before);
      expect(await (await world.send("GET", `${name}/tags/list`)).json()).toEqual({ name, tags: ["a"] });
      await world.send("PUT", `${name}/manifests/again`, {
        headers: { "content-type": "application/vnd.oci.image.manifest.v1+json" },
        body: await (await world.send("GET", `${name}/manifests/a`)).text(),
      });
      expect((await world.send("GET", `${name}/manifests/again`)).status).toBe(200);
    });

    test("hold however many push at once", async (world) => {
      const namespaceId = await limit(world, 10_000, ["Reject", 100]);

      const pushes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          world.pushImage(`alice/r${index % 3}`, `t${index}`, { layer: String.fromCharCode(65 + index).repeat(900) }),
        ),
      );

      const done = pushes.filter(({ status }) => status === "fulfilled").length;
      const used = await namespaceUsage(world.store.db, namespaceId);
      expect(done).toBeGreaterThan(3);
      expect(used).toBeLessThan(10_000);
      for (const push of pushes) if (push.status === "rejected") expect(String(push.reason)).toMatch(/403.*DENIED/);
    });

    test("refuse an upload before it begins and while it runs, with all that is on its way", async (world) => {
      await limit(world, 40 * 1024 * 1024, ["Reject", 100]);
      const begin = async () => (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
      const [first, second] = [await begin(), await begin()];
      const most = new Uint8Array(33 * 1024 * 1024);
      expect((await world.send("PATCH", first, { body: most })).status).toBe(202);

      const patch = await world.send("PATCH", second, { body: most });
      const status = await world.send("GET", second);
      await world.send("PATCH", first, {
        headers: { "content-range": `${most.length}-${most.length + 8 * 1024 * 1024 - 1}` },
        body: new Uint8Array(8 * 1024 * 1024),
      });
      const start = await world.send("POST", `${name}/blobs/uploads/`);

      expect([patch.status, status.status, start.status]).toEqual([403, 404, 202]); // refused bytes do not count
    });

    test("count what is stored before a manifest has it, and refuse what does not fit", async (world) => {
      const namespaceId = await limit(world, 5 * 1024, ["Reject", 100]);
      const push = (index: number) =>
        world.pushBlob(`alice/r${index % 3}`, `${index}`.padEnd(1024, "x")).then(
          () => "stored",
          (error: Error) => error.message.slice(0, 3),
        );

      const results: string[] = [];
      for (let index = 0; index < 8; index++) results.push(await push(index));

      expect(results).toEqual(["stored", "stored", "stored", "stored", "403", "403", "403", "403"]);
      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(4 * 1024);
      expect(await world.store.db.selectFrom("upload").select("id").execute()).toEqual([]);
      expect(await world.store.db.selectFrom("blob").select("digest").execute()).toHaveLength(4);
    });

    test("let in no more than fits of uploads at once, whether their length is known or not", async (world) => {
      const namespaceId = await limit(world, 10_000, ["Reject", 100]);
      await world.pushBlob(name, "{}");
      const parts = 12;
      const begun = await Promise.all(
        Array.from({ length: parts }, async () => {
          const started = await world.send("POST", `${name}/blobs/uploads/`);
          return started.headers.get("location") ?? "";
        }),
      );
      const bytes = (index: number) => Buffer.alloc(1000, index);
      const streamed = (index: number) => new Blob([bytes(index)]).stream();

      const patched = await Promise.all(
        begun.map((path, index) =>
          world.send("PATCH", path, { body: index % 2 === 0 ? bytes(index) : streamed(index) }),
        ),
      );

      const passed = patched.filter(({ status }) => status === 202).length;
      expect(patched.map(({ status }) => status).sort()).toEqual([
        ...Array(passed).fill(202),
        ...Array(parts - passed).fill(403),
      ]);
      expect(passed).toBe(9);
      expect(await uploadingBytes(world.store.db, namespaceId)).toBe(9000);
    });

    test("let in what fits of uploads that run at once, and never refuse for bytes that do not arrive", async (world) => {
      const namespaceId = await limit(world, 20 * 1024 * 1024, ["Reject", 100]);
      const piece = "x".repeat(1600 * 1024);
      const running = [];
      for (let index = 0; index < 6; index++) {
        const path = (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
        running.push({ ...openBody(), path });
      }
      const answers = running.map(({ path, body }) => world.send("PATCH", path, { body }));
      for (const { send } of running) send("x");
      await expect.poll(() => filesOf(world)).toHaveLength(6);
      for (const { send } of [...running, ...running]) send(piece);
      const arrived = 6 * (2 * piece.length + 1);
      await expect.poll(() => uploadingBytes(world.store.db, namespaceId)).toBe(arrived);
      for (const { end } of running) end();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);

      expect(statuses).toEqual([202, 202, 202, 202, 202, 202]);
      expect(await uploadingBytes(world.store.db, namespaceId)).toBe(arrived);
    });

    test("count what came ahead when the request ends or is cut, and keep nothing of it if it does not fit", async (world) => {
      const namespaceId = await limit(world, 20 * 1024 * 1024, ["Reject", 100]);
      const begin = async () => (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
      const [ended, cut] = [
        { ...openBody(), path: await begin() },
        { ...openBody(), path: await begin() },
      ];
      const answer = world.send("PATCH", ended.path, { body: ended.body });
      const lost = world.send("PATCH", cut.path, { body: cut.body }).catch(() => undefined);
      const mebibytes = (count: number) => "x".repeat(count * 1024 * 1024);
      for (const { send } of [ended, cut]) send("x");
      await expect.poll(() => filesOf(world)).toHaveLength(2);
      const other = new Uint8Array(19 * 1024 * 1024);
      expect((await world.send("PATCH", await begin(), { body: other })).status).toBe(202);
      for (const { send } of [ended, cut]) send(mebibytes(2));
      ended.end();
      cut.fail();
      await lost;

      expect((await answer).status).toBe(403);
      await expect.poll(() => filesOf(world)).toHaveLength(1);
      await expect.poll(() => uploadingBytes(world.store.db, namespaceId)).toBe(other.length);
    });

    test("are free again when uploads are cancelled, or are forgotten for long", async (world) => {
      const namespaceId = await limit(world, 1000, ["Reject", 100]);
      const fill = async () => {
        const { headers } = await world.send("POST", `${name}/blobs/uploads/`);
        const path = headers.get("location") ?? "";
        return { path, status: (await world.send("PATCH", path, { body: "x".repeat(900) })).status };
      };
      const first = await fill();
      const refused = await fill();
      await world.send("DELETE", first.path);
      const second = await fill();
      world.registry.time.now += graceMs.uploads;
      await collect(world);

      expect([first.status, refused.status, second.status]).toEqual([202, 403, 202]);
      expect(await uploadingBytes(world.store.db, namespaceId)).toBe(0);
      expect((await fill()).status).toBe(202);
    });

    test("that are made smaller meanwhile refuse the end of an upload, and keep nothing of it", async (world) => {
      const namespaceId = await limit(world, 10_000, ["Reject", 100]);
      const { headers } = await world.send("POST", `${name}/blobs/uploads/`);
      const path = headers.get("location") ?? "";
      const content = "x".repeat(5000);
      await world.send("PATCH", path, { body: content });
      await world.store.db.updateTable("quota").set({ limit_bytes: 1000 }).execute();

      const put = await world.send("PUT", `${path}?digest=${digestOf(content)}`);

      expect(put.status).toBe(403);
      expect(await put.json()).toMatchObject({ errors: [{ code: "DENIED" }] });
      expect(await world.blobs.find(parseDigest(digestOf(content)))).toBeUndefined();
      expect(await uploadingBytes(world.store.db, namespaceId)).toBe(0);
      expect((await world.send("GET", path)).status).toBe(404);
    });

    test("of another namespace count what is mounted there", async (world) => {
      await limit(world, 1000, ["Reject", 100]);
      await world.registry.user("bob");
      const digest = await send(world, "bob", { repository: "bob/large", body: "y".repeat(1500) });
      const small = await send(world, "bob", { repository: "bob/large", body: "z".repeat(100) });
      await world.store.db.updateTable("image_repository").set({ visibility: "public" }).execute();
      const mount = (each: string, to = name) =>
        world.send("POST", `${to}/blobs/uploads/?mount=${each}&from=bob/large`);

      const statuses = [
        (await mount(digest)).status,
        (await mount(small)).status,
        (await mount(small, "alice/b")).status,
      ];

      expect(statuses).toEqual([403, 201, 201]);
      const alice = await findAccount(world.store.db, "alice");
      expect(await namespaceUsage(world.store.db, alice?.id ?? "")).toBe(100);
    });

    test("are free again when blobs are deleted, or collected because no manifest came", async (world) => {
      const namespaceId = await limit(world, 1000, ["Reject", 100]);
      const first = await world.pushBlob(name, "a".repeat(600));
      await world.send("POST", `alice/other/blobs/uploads/?mount=${first}&from=${name}`);
      await world.pushBlob(name, "b".repeat(300));
      const used = async () => namespaceUsage(world.store.db, namespaceId);
      const before = await used();

      await world.send("DELETE", `${name}/blobs/${first}`);
      const still = await used();
      await world.send("DELETE", `alice/other/blobs/${first}`);
      const after = await used();
      world.registry.time.now += graceMs.links;
      await collect(world);

      expect([before, still, after, await used()]).toEqual([900, 900, 300, 0]);
      const { kept, counted } = await recountUsage(world.store.db);
      expect(kept).toEqual(counted);
    });

    test("let in what the namespace holds already, whose digest the client names, and nothing else", async (world) => {
      const namespaceId = await limit(world, 1000, ["Reject", 100]);
      const [held, other] = ["a".repeat(950), "b".repeat(950)];
      const digest = await world.pushBlob(name, held);
      const begin = async (to: string) =>
        (await world.send("POST", `${to}/blobs/uploads/`)).headers.get("location") ?? "";
      const put = async (to: string, body: string | ReadableStream<Uint8Array>, named = digest) =>
        (await world.send("PUT", `${await begin(to)}?digest=${named}`, { body })).status;
      const post = async (to: string, body: string, named = digest) =>
        (await world.send("POST", `${to}/blobs/uploads/?digest=${named}`, { body })).status;
      const pieces = async (to: string, named: string) => {
        const path = await begin(to);
        const { status } = await world.send("PATCH", path, { body: held.slice(0, 40) });
        return [status, (await world.send("PUT", `${path}?digest=${named}`, { body: held.slice(40) })).status];
      };

      expect(await put("alice/whole", held)).toBe(201);
      expect(await put("alice/streamed", new Blob([held]).stream())).toBe(201);
      expect(await post("alice/posted", held)).toBe(201);
      expect(await pieces("alice/pieces", digest)).toEqual([202, 201]);
      expect((await world.send("POST", `alice/mounted/blobs/uploads/?mount=${digest}&from=${name}`)).status).toBe(201);
      expect(await put("alice/other", other, digestOf(other))).toBe(403);
      expect(await post("alice/longer", held + other)).toBe(403); // more than it says
      expect(await post("alice/wrong", other)).toBe(400);
      expect((await world.send("PATCH", await begin("alice/unnamed"), { body: held })).status).toBe(403); // could be anything
      await world.store.db.updateTable("quota").set({ limit_bytes: 900 }).execute(); // more than full
      expect(await post("alice/full", held)).toBe(201);
      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(950);
      expect(await uploadingBytes(world.store.db, namespaceId)).toBe(0);
    });

    test("let in what repeats held blobs only while it arrives, and as much as the quota at once", async (world) => {
      const namespaceId = await limit(world, 1000, ["Reject", 100]);
      const held = "a".repeat(950);
      const digest = await world.pushBlob(name, held);
      const begin = async () => (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
      const put = async (body: string | ReadableStream<Uint8Array>) =>
        world.send("PUT", `${await begin()}?digest=${digest}`, { body }).catch(() => undefined);
      const uploads = () => world.store.db.selectFrom("upload").select("received_bytes").execute();
      const files = () => filesOf(world);
      const cut = openBody();
      const first = put(cut.body);
      cut.send(held.slice(0, 949));
      await expect.poll(uploads).toEqual([{ received_bytes: 950 }]);

      const second = await put(held);
      const counted = await uploadingBytes(world.store.db, namespaceId);
      cut.fail();
      await first;

      expect([second?.status, counted]).toEqual([403, 0]);
      await expect.poll(uploads).toEqual([]);
      await expect.poll(files).toEqual([]);
      expect((await put(held))?.status).toBe(201);
    });

    test("count nothing more of an upload that was cancelled while it runs, and keep nothing of it", async (world) => {
      await limit(world, 20_000, ["Reject", 100]);
      const path = (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
      const piece = "x".repeat(4000);
      const running = openBody();
      const answer = world.send("PATCH", path, { body: running.body });
      running.send(piece);
      const received = () => world.store.db.selectFrom("upload").select("received_bytes").execute();
      await expect.poll(received).toEqual([{ received_bytes: 4000 }]);
      await world.send("DELETE", path);
      running.send(piece);
      running.end();

      expect((await answer).status).toBe(404);
      expect(await filesOf(world)).toEqual([]);
    });

    test("let every client heal a damaged blob, and nothing else in its place", async (world) => {
      const { store, blobs } = world;
      await limit(world, 10_000, ["Reject", 100]);
      const layer = "l".repeat(6000);
      const image = await world.pushImage(name, "a", { layer });
      const lose = async () => {
        await blobs.delete(parseDigest(image.layer));
        await store.db
          .updateTable("blob")
          .set({ fault: "missing", damaged_at: 1 })
          .where("digest", "=", image.layer)
          .execute();
      };
      const begin = async () => (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
      const inPieces = async (body: string) => {
        const path = await begin();
        const { status } = await world.send("PATCH", path, { body: new Blob([body]).stream() });
        return [status, (await world.send("PUT", `${path}?digest=${digestOf(body)}`)).status];
      };

      await lose();
      expect(await inPieces("o".repeat(6000))).toEqual([202, 403]);
      expect(await inPieces(layer)).toEqual([202, 201]);
      expect((await inPieces("o".repeat(6000)))[0]).toBe(403);
      await lose();
      expect((await world.send("POST", `${name}/blobs/uploads/?digest=${image.layer}`, { body: layer })).status).toBe(
        201,
      );
      await lose();
      await world.pushImage(name, "a", { layer });

      expect(await (await world.send("GET", `${name}/blobs/${image.layer}`)).text()).toBe(layer);
      const { kept, counted } = await recountUsage(store.db);
      expect(kept).toEqual(counted);
    });

    test("do not count the bytes of manifests themselves", async (world) => {
      const namespaceId = await limit(world, 1_000_000);
      await world.pushImage(name, "a", { layer: "x" });
      const before = await namespaceUsage(world.store.db, namespaceId);

      await world.pushImage(name, "b", { layer: "x", manifest: { annotations: { long: "y".repeat(5000) } } });

      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(before);
    });

    test("warn of what no manifest has, too", async (world) => {
      const namespaceId = await limit(world, 1000, ["Warning", 50], ["Reject", 100]);
      await world.pushBlob(name, "a".repeat(600));

      const told = await world.store.db.selectFrom("user_notification").select(["kind", "account_id"]).execute();

      expect(told).toEqual([{ kind: "quota_warning", account_id: namespaceId }]);
    });

    test(
      "of the registry hold where a namespace has none, and blobs have a size of their own",
      async (world) => {
        const location = (await world.send("POST", `${name}/blobs/uploads/`)).headers.get("location") ?? "";
        const large = await world.send("PATCH", location, { body: "x".repeat(701) });
        await world.pushBlob(name, "y".repeat(700));
        await expect(world.pushImage(name, "a", { layer: "x".repeat(500) })).rejects.toThrow(/^403.*DENIED/);

        expect(large.status).toBe(413);
        expect((await world.send("GET", location)).status).toBe(404);
        expect((await world.send("HEAD", `${name}/blobs/${digestOf("x".repeat(500))}`)).status).toBe(404);
      },
      { settings: { defaultQuotaBytes: 1000, maxBlobBytes: 700 } },
    );
  },
);
