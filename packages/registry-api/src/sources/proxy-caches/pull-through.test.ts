import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { UpstreamLimited, UpstreamObjectFailed } from "@plimsoll/registry/ports/upstreams";
import { cacheImageJob } from "@plimsoll/registry/sources/proxy-caches/jobs";
import { CachePulls } from "@plimsoll/registry/sources/proxy-caches/pull-through";
import { deleteUnusedReferrers } from "@plimsoll/registry/sources/proxy-caches/queries/proxy-caches";
import { listJobs, systemTime } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { errorOf } from "../../fixtures/each-engine.ts";
import { digestOf } from "../../fixtures/test-distribution.ts";
import { fakeUpstream, subjectOf } from "../mirrors/fixtures/fake-upstream.ts";
import { openProxyWorld } from "./fixtures/proxy-world.ts";

const unreachable = () => {
  throw new ScanError("source_unreachable", "up.example cannot be reached");
};

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "CachePulls on $title",
  ({ engine }) => {
    const on = (what: string, work: () => Promise<void>) => it.skipIf(engine.skip !== undefined)(what, work);

    on("bring in what is pulled, and of an index only what is asked for", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, registry, store, send } = world;
      const wanted = upstream.image(["base", "amd64"]);
      const list = upstream.index([wanted, upstream.image(["base", "arm64"])]);
      upstream.tags.set("v1", list);

      const pulled = await world.pull("busybox", "v1");
      await world.work();

      expect(pulled).toEqual([list, wanted]);
      expect(await world.tags("busybox")).toEqual({ v1: list });
      expect(upstream.fetchedBlobs).toHaveLength(3); // the configuration and two layers
      expect((await send("GET", `hub/busybox/manifests/${wanted}`, { as: "bob" })).status).toBe(200);
      expect(await store.db.selectFrom("manifest_scan").select("state").execute()).toEqual([{ state: "queued" }]);
      expect(await store.db.selectFrom("proxied_manifest").select("digest").execute()).toEqual([]);
      expect(await store.db.selectFrom("manifest_child").selectAll().execute()).toHaveLength(1);
      const made = await world.call("GET", "/repository/hub/busybox");
      expect(made.body).toMatchObject({ is_public: false, state: "NORMAL" });
      const roles = await world.call("GET", "/repository/hub/busybox/permissions/user/");
      expect(roles.body.permissions).toMatchObject({ bob: { role: "read" } });
      const kinds = (await registry.usageLog()).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "create_repo" || kind === "pull_repo")).toEqual([
        ...["create_repo", "pull_repo", "pull_repo", "pull_repo"],
      ]);
    });

    on("tell of a registry that has just failed without naming what others had asked it for", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send } = world;
      upstream.onHead = unreachable;
      const messageFor = async (reference: string) => {
        const answer = await send("GET", `hub/${reference}`, { as: "bob" });
        return [answer.status, await answer.text()] as const;
      };

      const first = await messageFor("secret/manifests/one");
      const second = await messageFor("other/manifests/two");

      expect(first).toEqual([503, expect.stringContaining("up.example cannot be reached")]);
      expect(second).toEqual([503, expect.stringMatching(/failed a moment ago: it is asked again after 5 seconds/)]);
    });

    for (const { what, isPassing, status } of [
      { what: "fails", isPassing: true, status: 503 },
      { what: "is refused", isPassing: false, status: 502 },
    ]) {
      on(`serve other images while a blob of one ${what}, also after jobs have tried it again`, async () => {
        await using world = await openProxyWorld(engine, fakeUpstream());
        const { upstream } = world;
        const fine = ["one", "two", "three"].map((layer) => upstream.image([layer]));
        upstream.tags.set("bad", upstream.image(["bad"]));
        for (const [index, image] of fine.entries()) upstream.tags.set(`v${index}`, image);
        upstream.onFetch = (reference) => {
          const message = "up.example does not send it";
          if (reference !== digestOf("bad")) return;
          throw new UpstreamObjectFailed("source_unreachable", message, { isPassing });
        };

        const bad = await world.pull("app", "bad");
        const first = await world.pull("app", "v0");
        await world.work();
        const second = await world.pull("app", "v1");
        world.registry.time.now += 60_000;
        await world.work();
        const third = await world.pull("app", "v2");

        expect([bad, first, second, third]).toEqual([status, ...fine.map((image) => [image])]);
      });
    }

    on("serve other images while jobs cannot reach the registry for one", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send } = world;
      const other = upstream.image(["other"]);
      upstream.tags.set("v1", upstream.image(["one"])).set("v2", other);
      await send("GET", "hub/app/manifests/v1", { as: "bob" });
      upstream.onFetch = unreachable;
      await world.work();
      upstream.onFetch = () => {};

      expect(await world.pull("app", "v2")).toEqual([other]);
    });

    on("fetch a blob of an image that was never pulled here, once, for those who may pull", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send } = world;
      upstream.image(["lonely"]);
      const path = `hub/app/blobs/${digestOf("lonely")}`;

      const stranger = await send("GET", path, { as: "eve" });
      const unknown = await send("GET", `hub/app/blobs/${digestOf("unknown")}`, { as: "bob" });
      const head = await send("HEAD", path, { as: "bob" });
      const texts = [];
      for (const _ of [1, 2]) texts.push(await (await send("GET", path, { as: "bob" })).text());
      const part = await send("GET", path, { as: "bob", headers: { range: "bytes=0-3" } });
      const elsewhere = await send("GET", `hub/app/blobs/${digestOf("unknown")}`, { as: "bob" });

      expect([stranger.status, unknown.status, head.status, part.status]).toEqual([401, 404, 200, 206]);
      expect(head.headers.get("content-length")).toBe("6");
      expect([...texts, await part.text()]).toEqual(["lonely", "lonely", "lone"]);
      expect(upstream.fetchedBlobs).toEqual([digestOf("lonely")]);
      expect([elsewhere.status, await elsewhere.json()]).toMatchObject([404, { errors: [{ code: "BLOB_UNKNOWN" }] }]);
    });

    on("list the referrers of the other registry, and never none for those that it was not asked for", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send, registry } = world;
      const [image, other] = [upstream.image(["one"]), upstream.image(["two"])];
      const signature = upstream.image(["signature"], subjectOf(image));
      upstream.tags.set("v1", image);
      const list = async (digest: Digest, query = "") => {
        const answer = await send("GET", `hub/app/referrers/${digest}${query}`, { as: "bob" });
        const { manifests } = (await answer.json()) as { manifests?: readonly { readonly digest: string }[] };
        return [answer.status, manifests?.map((each) => each.digest)];
      };

      const repositories = async () =>
        (await world.store.db.selectFrom("image_repository").select("name").execute()).length;
      const stranger = await send("GET", `hub/app/referrers/${image}`, { as: "eve" });
      const missing = await send("GET", `hub/app/referrers/${digestOf("missing")}`, { as: "bob" });
      const before = await repositories();
      const fresh = await list(image);
      await world.pull("app", "v1");
      const found = await list(image);
      const whole = await (await send("GET", `hub/app/referrers/${image}`, { as: "bob" })).json();
      const filtered = await list(image, "?artifactType=application/other");
      await world.work();
      upstream.onHead = unreachable;
      const [stale, unseen] = [await list(image), await list(other)];
      registry.time.now += 6000;
      upstream.onHead = () => {};
      upstream.hasReferrers = false;
      const without = await list(image);
      upstream.onHead = unreachable;
      const stillWithout = await list(image);

      expect([stranger.status, await errorOf(missing), before, await repositories()]).toEqual([
        401,
        "404 NAME_UNKNOWN",
        0,
        1,
      ]);
      expect([fresh, found, filtered]).toEqual([
        [200, [signature]],
        [200, [signature]],
        [200, []],
      ]);
      expect(whole).toMatchObject({
        mediaType: "application/vnd.oci.image.index.v1+json",
        manifests: [{ artifactType: "application/vnd.example", annotations: { of: image }, size: expect.any(Number) }],
      });
      expect([stale, unseen]).toEqual([
        [200, [signature]],
        [503, undefined],
      ]);
      expect([without, stillWithout]).toEqual([
        [404, undefined],
        [404, undefined],
      ]);
    });

    on("forget lists of referrers with their images", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send, store } = world;
      const image = upstream.image(["one"]);
      upstream.tags.set("v1", image);
      await world.pull("app", "v1");
      await world.work();
      await send("GET", `hub/app/referrers/${image}`, { as: "bob" });
      const kept = async () => (await store.db.selectFrom("proxied_referrers").select("digest").execute()).length;

      await deleteUnusedReferrers(store.db);
      const before = await kept();
      await store.db.deleteFrom("image_manifest").execute();
      await deleteUnusedReferrers(store.db);

      expect([before, await kept()]).toEqual([1, 0]);
    });

    on("make room for such a blob, and refuse one that exceeds the quota alone", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream(), { settings: { defaultQuotaBytes: 2500 } });
      const { upstream, send, registry } = world;
      upstream.tags.set("v1", upstream.image(["a".repeat(1500)]));
      upstream.image(["b".repeat(1500), "c".repeat(3000)]);
      await world.pull("app", "v1");
      await world.work();
      registry.time.now += 120_000;
      const get = (text: string) => send("GET", `hub/app/blobs/${digestOf(text)}`, { as: "bob" });

      const fitting = await get("b".repeat(1500));
      const large = await get("c".repeat(3000));

      expect([fitting.status, (await fitting.text()).length]).toEqual([200, 1500]);
      expect([large.status, await world.tags("app")]).toEqual([403, {}]);
    });

    on("pass the pull gate of the organization, the first time as well", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send } = world;
      const wanted = upstream.image(["base", "amd64"]);
      upstream.tags.set("v1", wanted);
      await world.call("PUT", "/organization/hub/pullgate", { pending: "deny" });
      const pull = async () => {
        const answer = await send("GET", "hub/busybox/manifests/v1", { as: "bob" });
        return [answer.status, await answer.text()] as const;
      };

      const pullBlob = async () => (await send("GET", `hub/busybox/blobs/${digestOf("base")}`, { as: "bob" })).status;
      const [first, why] = await pull();
      const arriving = await pullBlob();
      await world.work();
      const [held, stillWhy] = await pull();

      expect([first, arriving, held, await pullBlob()]).toEqual([403, 403, 403, 403]);
      expect(why).toContain("still being brought in");
      expect(stillWhy).toContain("not scanned yet");
      expect(await world.tags("busybox")).toEqual({ v1: wanted }); // it comes in all the same, and is scanned
    });

    on("fetch a lost blob anew for the pull that finds it", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, distribution } = world;
      const wanted = upstream.image(["base", "amd64"]);
      upstream.tags.set("v1", wanted);
      await world.pull("busybox", "v1");
      await world.work();
      const digest = digestOf("base") as Digest;
      await distribution.blobs.delete(digest);
      upstream.fetchedBlobs.length = 0;

      const pulled = await world.pull("busybox", "v1");
      const again = await world.pull("busybox", "v1");

      expect([pulled, again]).toEqual([[wanted], [wanted]]);
      expect(upstream.fetchedBlobs).toEqual([digest]);
      expect(distribution.damaged).toMatchObject([{ digest, fault: "missing" }]);
    });

    on("serve a part of a lost blob after fetching it anew", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, distribution, send } = world;
      upstream.tags.set("v1", upstream.image(["base"]));
      await world.pull("busybox", "v1");
      await world.work();
      const digest = digestOf("base") as Digest;
      await distribution.blobs.delete(digest);

      const part = await send("GET", `hub/busybox/blobs/${digest}`, { as: "bob", headers: { range: "bytes=1-2" } });

      expect([part.status, await part.text()]).toEqual([206, "as"]);
    });

    on("ask where a tag leads, and fetch only what has changed", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream } = world;
      const one = upstream.image(["base", "one"]);
      upstream.tags.set("v1", one);
      await world.pull("app", "v1");
      await world.work();
      upstream.headRequests.length = 0;

      const again = await world.pull("app", "v1");
      const byDigest = await world.pull("app", one);
      const lookedThen = [...upstream.headRequests];
      const two = upstream.image(["base", "two"]);
      upstream.tags.set("v1", two);
      upstream.fetchedBlobs.length = 0;
      const changed = await world.pull("app", "v1");
      await world.work();

      expect([again, byDigest, changed]).toEqual([[one], [one], [two]]);
      expect(lookedThen).toEqual(["v1"]);
      expect(upstream.fetchedBlobs).toHaveLength(1);
      expect(await world.tags("app")).toEqual({ v1: two });
    });

    on("send a layer while it comes in", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send } = world;
      const layer = "x".repeat(100_000);
      const image = upstream.image([layer]);
      upstream.tags.set("v1", image);
      const manifest = await send("GET", "hub/app/manifests/v1", { as: "bob" });
      const { layers } = (await manifest.json()) as { layers: { digest: string }[] };
      const half = Promise.withResolvers<void>();
      upstream.onHalf = () => half.promise;

      const answer = await send("GET", `hub/app/blobs/${layers[0]?.digest}`, { as: "bob" });
      const reader = answer.body?.getReader();
      const first = await reader?.read();
      half.resolve();
      let received = first?.value?.length ?? 0;
      for (let part = await reader?.read(); !part?.done; part = await reader?.read())
        received += part?.value?.length ?? 0;

      expect(first?.value?.length).toBeGreaterThan(0);
      expect(first?.value?.length).toBeLessThan(layer.length);
      expect(received).toBe(layer.length);
    });

    on("store the image although its client has gone", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send } = world;
      const image = upstream.image(["x".repeat(10_000), "y"]);
      upstream.tags.set("v1", image);
      await send("GET", "hub/app/manifests/v1", { as: "bob" });

      await world.work();

      expect(await world.tags("app")).toEqual({ v1: image });
    });

    on("never give the whole of a layer that is wrong, keep nothing of it, and say why", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send, store, registry } = world;
      const image = upstream.image(["what is expected"]);
      upstream.tags.set("v1", image);
      const manifest = await send("GET", "hub/app/manifests/v1", { as: "bob" });
      const { layers } = (await manifest.json()) as { layers: { digest: string }[] };
      const layer = layers[0]?.digest ?? "";
      upstream.replace(layer as never, "what is a lie!!!");

      const got = await send("GET", `hub/app/blobs/${layer}`, { as: "bob" })
        .then((answer) => (answer.ok ? answer.text() : `refused ${answer.status}`))
        .catch(() => "cut");
      await world.work();

      expect(["cut", "refused 400"]).toContain(got);
      expect(await world.tags("app")).toEqual({});
      expect(await store.db.selectFrom("upload").select("id").execute()).toEqual([]);
      expect(await store.db.selectFrom("proxied_manifest").select("digest").execute()).toEqual([]);
      const failed = (await registry.usageLog()).find(({ kind }) => kind === "pull_repo_failed");
      expect(failed?.metadata).toMatchObject({ manifest_digest: image, message: expect.stringContaining(layer) });
    });

    on("go on with a layer whose registry failed half-way, at the next attempt", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, registry, store } = world;
      const image = upstream.image(["x".repeat(10_000)]);
      upstream.tags.set("v1", image);
      upstream.onHalf = unreachable;
      const cut = await world.pull("app", "v1").catch(() => "cut");
      await world.work();
      const held = await world.tags("app");
      upstream.onHalf = () => {};
      registry.time.now += 3_600_000;

      await world.work();

      expect(cut === "cut" || cut === 503).toBe(true);
      expect(held).toEqual({});
      expect(await world.tags("app")).toEqual({ v1: image });
      expect(await store.db.selectFrom("upload").select("id").execute()).toEqual([]);
    });

    on("forget an image that cannot be brought in, and say why", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send, registry, store } = world;
      const images = ["one", "two"].map((text) => upstream.image([text]));
      for (const image of images) await send("GET", `hub/app/manifests/${image}`, { as: "bob" });
      upstream.onHalf = unreachable;
      const [lost] = (await store.db
        .selectFrom("jobs" as never)
        .select("id" as never)
        .execute()) as { id: string }[];
      await store.db
        .updateTable("jobs" as never)
        .set({ losses: 11 } as never)
        .where("id" as never, "=", lost?.id as never)
        .execute();

      for (let attempt = 0; attempt < 6; attempt++) {
        await world.work();
        registry.time.now += 3_600_000;
      }

      expect(await store.db.selectFrom("proxied_manifest").select("digest").execute()).toEqual([]);
      const failed = (await registry.usageLog()).filter(({ kind }) => kind === "pull_repo_failed");
      const digests = images.map((manifest_digest) => expect.objectContaining({ manifest_digest }));
      expect(failed.map(({ metadata }) => metadata)).toEqual(expect.arrayContaining(digests));
      expect(failed.map(({ metadata }) => (metadata as { message: string }).message).sort()).toEqual([
        ...["its worker was lost 11 times in one attempt", "up.example cannot be reached"],
      ]);
    });

    on("serve what is here while the other registry cannot be used, and leave it alone", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send, registry } = world;
      const image = upstream.image(["one"]);
      upstream.tags.set("v1", image).set("v2", upstream.image(["two"]));
      await world.pull("app", "v1");
      await world.work();
      upstream.onHead = unreachable;
      upstream.headRequests.length = 0;

      const held = await world.pull("app", "v1");
      const missing = await send("GET", "hub/app/manifests/v2", { as: "bob" });
      const lookedThen = upstream.headRequests.length;
      registry.time.now += 6000;
      upstream.onHead = () => {};
      const later = await world.pull("app", "v2");

      expect(held).toEqual([image]);
      expect([missing.status, missing.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(lookedThen).toBe(1);
      expect(later).toHaveLength(1);
    });

    on("honour the pause that a registry asks for", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send, registry } = world;
      upstream.tags.set("v1", upstream.image(["one"]));
      await world.pull("app", "v1");
      await world.work();
      upstream.onHead = () => {
        throw new UpstreamLimited("up.example limits the rate of requests", { retryAfterSeconds: 90 });
      };
      const asked = [];

      for (const seconds of [0, 89, 2]) {
        registry.time.now += 1000 * seconds;
        upstream.headRequests.length = 0;
        const answer = await send("GET", "hub/app/manifests/v9", { as: "bob" });
        const held = await world.pull("app", "v1");
        asked.push([answer.status, answer.headers.get("retry-after"), upstream.headRequests.length, typeof held]);
      }

      expect(asked).toEqual([
        [429, "90", 1, "object"],
        [429, "1", 0, "object"],
        [429, "90", 1, "object"],
      ]);
    });

    on(
      "serve other images while the registry limits requests for one blob, also after jobs have tried it",
      async () => {
        await using world = await openProxyWorld(engine, fakeUpstream());
        const { upstream, send, registry } = world;
        const fine = ["one", "two", "three", "four"].map((layer) => upstream.image([layer]));
        for (const [index, image] of fine.entries()) upstream.tags.set(`v${index}`, image);
        const limited = upstream.image(["limited"]);
        upstream.onFetch = (reference) => {
          if (reference !== digestOf("limited")) return;
          throw new UpstreamLimited("up.example limits the rate of requests", { retryAfterSeconds: undefined });
        };
        const askForBlob = async () => {
          const answer = await send("GET", `hub/app/blobs/${digestOf("limited")}`, { as: "bob" });
          return [answer.status, answer.headers.get("retry-after")];
        };
        await send("GET", `hub/app/manifests/${limited}`, { as: "bob" });

        await world.work();
        const afterJob = await world.pull("app", "v0");
        const first = [await askForBlob(), await world.pull("app", "v1")];
        registry.time.now += 5000;
        await world.work();
        const afterPause = await world.pull("app", "v1");
        const second = [await askForBlob(), await askForBlob(), await world.pull("app", "v2")];
        registry.time.now += 60_000;
        const third = [await askForBlob(), await world.pull("app", "v3")];

        const [zero, one, two, three] = fine.map((image) => [image]);
        expect([afterJob, afterPause]).toEqual([zero, one]);
        expect(first).toEqual([[429, "5"], 429]);
        expect(second).toEqual([[429, "5"], [429, "5"], two]);
        expect(third).toEqual([[429, "5"], three]);
      },
    );

    on("try an image again not before the time that its registry names", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send, registry, store } = world;
      await send("GET", `hub/app/manifests/${upstream.image(["one"])}`, { as: "bob" });
      upstream.onFetch = () => {
        throw new UpstreamLimited("up.example limits the rate of requests", { retryAfterSeconds: 900 });
      };

      await world.work();

      const [waiting] = await listJobs(store.db, { kind: "registry.cache-image" });
      expect(waiting).toMatchObject({ attempts: 1, dueAt: registry.time.now + 900_000 });
    });

    on("have no tag that the other registry no longer has, and none that has expired", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream(), { config: { expiration_s: 3600 } });
      const { upstream, registry } = world;
      const image = upstream.image(["one"]);
      upstream.tags.set("v1", image);
      await world.pull("app", "v1");
      await world.work();
      upstream.tags.clear();
      const gone = await world.pull("app", "v1");
      upstream.tags.set("v1", image);
      registry.time.now += 3_000_000;
      await world.pull("app", "v1"); // lives on by it
      upstream.onHead = unreachable;
      registry.time.now += 3_000_000;
      const alive = await world.pull("app", "v1");
      registry.time.now += 4_000_000;

      const expired = await world.pull("app", "v1");

      expect([gone, alive, expired]).toEqual([404, [image], 503]);
      expect(await world.tags("app")).toEqual({});
    });

    on("bring a tag that was deleted again", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send } = world;
      const image = upstream.image(["one"]);
      upstream.tags.set("v1", image);
      await world.pull("app", "v1");
      await world.work();
      const deleted = await send("DELETE", `hub/app/manifests/${image}`);
      const without = await world.tags("app");

      await world.pull("app", "v1");

      expect([deleted.status, without]).toEqual([202, {}]);
      expect(await world.tags("app")).toEqual({ v1: image });
    });

    on("fetch once what is pulled at the same time, also on two nodes", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, store, registry, blobs, clock, send } = world;
      upstream.tags.set("v1", upstream.image(["base", "one"]));
      await send("HEAD", "hub/app/manifests/v1", { as: "bob" });
      await world.work();
      const fetchedThen = new Set(upstream.fetchedBlobs).size;
      const image = upstream.image(["base", "new"]);
      upstream.tags.set("v1", image);
      const manifests: string[] = [];
      upstream.onFetch = (reference) => void manifests.push(reference);
      const other = new CachePulls({ ...world.pulls.jobContext, sleep: systemTime.sleep });
      const repository = await store.db.selectFrom("image_repository").selectAll().executeTakeFirstOrThrow();
      const seen = { ...repository, namespace: "hub", namespaceKind: "organization", tagExpirationSeconds: 1 } as const;
      const pulled = { repository: seen, reference: { kind: "tag", name: "v1" }, now: registry.time.now } as const;

      await Promise.all([
        ...Array.from({ length: 5 }, () => world.pull("app", "v1")),
        ...Array.from({ length: 5 }, () => other.findManifest(pulled)),
      ]);
      await world.work();

      expect(clock.now()).toBe(registry.time.now);
      expect(fetchedThen).toBe(3);
      expect(upstream.fetchedBlobs).toHaveLength(4);
      expect(manifests.filter((reference) => reference === image)).toHaveLength(1);
      expect(await blobs.find(upstream.fetchedBlobs.at(-1) as never)).toBeGreaterThan(0);
      other.close();
    });

    on("let go what was pulled the longest time ago where the quota has no room", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream(), { settings: { defaultQuotaBytes: 2500 } });
      const { upstream, registry, send } = world;
      const images = ["a", "b", "c"].map((letter) => upstream.image([letter.repeat(1000)]));
      for (const [index, image] of images.entries()) upstream.tags.set(`v${index}`, image);
      upstream.tags.set("large", upstream.image(["z".repeat(3000)]));
      for (const tag of ["v0", "v1"]) {
        await world.pull("app", tag);
        await world.work();
        registry.time.now += 120_000;
      }
      await world.pull("app", "v0");
      registry.time.now += 120_000;

      const third = await world.pull("app", "v2");
      await world.work();
      const large = await send("GET", "hub/app/manifests/large", { as: "bob" });

      expect(third).toEqual([images[2]]);
      expect(await world.tags("app")).toEqual({ v0: images[0], v2: images[2] });
      expect([large.status, await large.json()]).toMatchObject([403, { errors: [{ code: "DENIED" }] }]);
    });

    on("take no pushes, and let only members make repositories", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, send, store } = world;
      upstream.tags.set("v1", upstream.image(["one"]));

      const stranger = await send("GET", "hub/app/manifests/v1", { as: "eve" });
      const nobody = await send("GET", "hub/app/manifests/v1", { as: "" });
      const unknown = await send("GET", "hub/app/manifests/v9", { as: "bob" });
      const before = await store.db.selectFrom("image_repository").select("id").execute();
      await world.pull("app", "v1");
      const answers = [
        await send("POST", "hub/app/blobs/uploads/"),
        await send("POST", "hub/other/blobs/uploads/"),
        await send("PUT", "hub/app/manifests/v2", { body: "{}" }),
      ];

      expect([stranger.status, nobody.status, unknown.status]).toEqual([401, 401, 404]);
      expect(before).toEqual([]);
      for (const answer of answers) {
        expect([answer.status, await answer.json()]).toMatchObject([
          403,
          { errors: [{ code: "DENIED", message: expect.stringContaining("cache of up.example/library") }] },
        ]);
      }
      expect(await world.pull("app", "v1", { as: "eve" })).toBe(401);
    });

    on("are ordinary pulls again when the organization is no cache any more", async () => {
      await using world = await openProxyWorld(engine, fakeUpstream());
      const { upstream, call, send, store } = world;
      const image = upstream.image(["one"]);
      upstream.tags.set("v1", image).set("v2", upstream.image(["two"]));
      await world.pull("app", "v1");
      await world.work();
      await send("GET", "hub/app/manifests/v2", { as: "bob" });
      await call("DELETE", "/organization/hub/proxycache");

      await world.work();

      expect(await world.pull("app", "v1")).toEqual([image]);
      expect(await world.pull("app", "v2")).toBe(404);
      expect((await send("POST", "hub/app/blobs/uploads/")).status).toBe(202);
      expect(await listJobs(store.db, { kind: cacheImageJob.kind })).toEqual([]);
    });
  },
);
