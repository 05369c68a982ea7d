import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { kindsWithRows } from "@plimsoll/registry/jobs";
import { UpstreamLimited } from "@plimsoll/registry/ports/upstreams";
import { mirrorSchedule, syncMirrorJob } from "@plimsoll/registry/sources/mirrors/jobs";
import { cancelJobById, listJobs } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../fixtures/test-distribution.ts";
import { type FakeUpstream, fakeUpstream, subjectOf } from "./fixtures/fake-upstream.ts";
import { openMirrorWorld } from "./fixtures/mirror-world.ts";

/** Copies an image of one layer, which the blob store then loses, and a pull finds that. */
async function loseBlob({ upstream, distribution, sync }: Awaited<ReturnType<typeof openMirrorWorld<FakeUpstream>>>) {
  upstream.tags.set("v1", upstream.image(["one"]));
  await sync();
  const digest = digestOf("one") as Digest;
  const pull = async () => (await distribution.send("GET", `acme/app/blobs/${digest}`)).status;
  await distribution.blobs.delete(digest);
  expect(await pull()).toBe(404);
  await expect.poll(() => distribution.damaged).toHaveLength(1);
  upstream.fetchedBlobs.length = 0;
  return { digest, pull };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "syncMirror on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "copies the tags of the rule with all that belongs to them, and fetches each blob once",
      async () => {
        await using world = await openMirrorWorld(engine, fakeUpstream());
        const { upstream } = world;
        const one = upstream.image(["base", "one"]);
        const list = upstream.index([one, upstream.image(["base", "two"])]);
        upstream.tags
          .set("v1", one)
          .set("v2", list)
          .set("other", upstream.image(["other"]));
        const signature = upstream.image(["signature"], subjectOf(one));
        const attested = upstream.image(["attestation"], subjectOf(signature));
        const cosigned = upstream.image(["cosign"]);
        upstream.tags.set(`${one.replace(":", "-")}.sig`, cosigned);

        await world.sync();

        expect(await world.tags()).toEqual({ v1: one, v2: list, [`${one.replace(":", "-")}.sig`]: cosigned });
        for (const digest of [signature, attested]) expect(await world.manifest(digest)).toBe(200);
        expect(new Set(upstream.fetchedBlobs).size).toBe(upstream.fetchedBlobs.length);
        expect(await world.status()).toMatchObject({
          ...{ sync_status: "SUCCESS", sync_retries_remaining: 3, sync_expiration_date: null },
          sync_start_date: "2026-11-22T00:00:00Z",
        });
        expect(await world.kinds()).toEqual([
          "repo_mirror_sync_started",
          ...["v1", "v2", "sig"].map(() => "repo_mirror_sync_tag_success"),
          "repo_mirror_sync_success",
        ]);
      },
    );

    it.skipIf(engine.skip !== undefined).each([{ unsigned_images: false }, { unsigned_images: true }])(
      "copies only images that a key of the settings has signed, unless unsigned ones may come: $unsigned_images",
      async (config) => {
        const { publicKey, privateKey } = generateKeyPairSync("ed25519");
        const mirrorSignatureKeys = [publicKey.export({ type: "spki", format: "pem" }).toString()];
        const given = { external_registry_config: config, mirrorSignatureKeys };
        await using world = await openMirrorWorld(engine, fakeUpstream(), given);
        const { upstream } = world;
        const [signed, unsigned] = [upstream.image(["one"]), upstream.image(["two"])];
        upstream.tags.set("v1", signed).set("v2", unsigned);
        const type = "cosign container image signature";
        const payload = JSON.stringify({ critical: { image: { "docker-manifest-digest": signed }, type } });
        const annotations = {
          "dev.cosignproject.cosign/signature": sign(undefined, Buffer.from(payload), privateKey).toString("base64"),
        };
        const digest = `sha256:${createHash("sha256").update(payload).digest("hex")}`;
        const layers = [{ mediaType: "application/json", digest, size: payload.length, annotations }];
        upstream.tags.set(`${signed.replace(":", "-")}.sig`, upstream.image([payload], { layers }));

        await world.sync();

        const carried = `${signed.replace(":", "-")}.sig`;
        const taken = config.unsigned_images ? ["v1", "v2"] : ["v1"];
        expect(Object.keys(await world.tags()).sort()).toEqual([carried, ...taken].sort());
        expect((await world.status()).sync_status).toBe(config.unsigned_images ? "SUCCESS" : "FAIL");
        const failed = (await world.registry.usageLog()).filter(({ kind }) => kind === "repo_mirror_sync_tag_failed");
        const messages = failed.map(({ metadata }) => (metadata as { readonly message: string }).message);
        expect(messages).toEqual(
          config.unsigned_images
            ? []
            : [expect.stringContaining("v2: no key of the setting mirrorSignatureKeys has signed")],
        );
      },
    );

    it.skipIf(engine.skip !== undefined)(
      "copies no unsigned image under the tag of a signature that belongs to no image",
      async () => {
        const { publicKey } = generateKeyPairSync("ed25519");
        const mirrorSignatureKeys = [publicKey.export({ type: "spki", format: "pem" }).toString()];
        const given = { root_rule: { rule_kind: "tag_glob_csv", rule_value: ["*"] }, mirrorSignatureKeys };
        await using world = await openMirrorWorld(engine, fakeUpstream(), given);
        const { upstream } = world;
        const unsigned = upstream.image(["one"]);
        for (const suffix of ["", ".sig", ".att"]) upstream.tags.set(`sha256-${"a".repeat(64)}${suffix}`, unsigned);

        await world.sync();

        expect(await world.tags()).toEqual({});
        expect(await world.manifest(unsigned)).toBe(404);
        expect((await world.status()).sync_status).toBe("SUCCESS");
      },
    );

    it.skipIf(engine.skip !== undefined)(
      "fetches a damaged blob anew, also of a tag that has not changed, without waiting for its turn",
      async () => {
        await using world = await openMirrorWorld(engine, fakeUpstream());
        const { upstream } = world;
        const { digest, pull } = await loseBlob(world);

        await world.sync();

        expect(upstream.fetchedBlobs).toEqual([digest]);
        expect(await pull()).toBe(200);
        expect(await world.status()).toMatchObject({ sync_status: "SUCCESS", sync_start_date: "2026-11-22T00:00:00Z" });
      },
    );

    it.skipIf(engine.skip !== undefined)(
      "leaves a damaged blob that the other registry no longer has, and copies the rest",
      async () => {
        await using world = await openMirrorWorld(engine, fakeUpstream());
        const { upstream } = world;
        const { digest } = await loseBlob(world);
        const two = upstream.image(["two"]);
        upstream.tags.clear();
        upstream.tags.set("v2", two);
        upstream.onFetch = (wanted) => {
          if (wanted === digest) throw new ScanError("not_found", "it has no such blob");
        };

        await world.sync();

        expect(await world.tags()).toEqual({ v2: two });
        expect((await world.status()).sync_status).toBe("SUCCESS");
      },
    );

    it.skipIf(engine.skip !== undefined)(
      "stops while it heals blobs, if the other registry limits requests",
      async () => {
        await using world = await openMirrorWorld(engine, fakeUpstream());
        const { upstream, distribution } = world;
        upstream.tags.set("v1", upstream.image(["one", "two"]));
        await world.sync();
        const digests = ["one", "two"].map((text) => digestOf(text) as Digest);
        for (const [index, digest] of digests.entries()) {
          await distribution.blobs.delete(digest);
          await distribution.send("GET", `acme/app/blobs/${digest}`);
          await expect.poll(() => distribution.damaged).toHaveLength(index + 1);
        }
        const requested: string[] = [];
        upstream.onFetch = (reference) => {
          requested.push(reference);
          throw new UpstreamLimited("limited", { retryAfterSeconds: 60 });
        };

        await world.sync();

        expect(requested).toHaveLength(1);
        expect((await world.status()).sync_status).toBe("FAIL");
      },
    );

    it.skipIf(engine.skip !== undefined)("emits the event of a push for each copied tag", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      const { upstream, registry } = world;
      upstream.tags.set("v1", upstream.image(["one"]));
      const { id } = await registry.store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
      const row = {
        id: "1",
        repository_id: id,
        event: "repo_push",
        method: "webhook",
        title: null,
      } as const;
      await registry.store.db
        .insertInto("event_notification")
        .values({ ...row, config: "{}", event_config: "{}", failures: 0, secret_sealed: null, created_at: 0 })
        .execute();

      await world.sync();

      const jobs = await listJobs(registry.store.db, { kind: "registry.deliver-notification" });
      expect(jobs.map(({ payload }) => JSON.stringify(payload))).toEqual([expect.stringContaining("v1")]);
    });

    it.skipIf(engine.skip !== undefined)("fetches only what changed, and ends tags outside the rule", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      const { upstream, registry } = world;
      upstream.tags.set("v1", upstream.image(["base", "one"])).set("v2", upstream.image(["base", "two"]));
      await world.sync();
      upstream.fetchedBlobs.length = 0;
      const changed = upstream.image(["base", "new"]);
      upstream.tags.set("v1", changed).delete("v2");
      registry.time.now += 86_400_000;

      await world.sync();

      expect(await world.tags()).toEqual({ v1: changed });
      expect(upstream.fetchedBlobs).toHaveLength(1);
    });

    it.skipIf(engine.skip !== undefined)(
      "removes nothing after a run that was not complete, or where no tag matches",
      async () => {
        await using world = await openMirrorWorld(engine, fakeUpstream());
        const { upstream, registry } = world;
        const one = upstream.image(["one"]);
        upstream.tags.set("v1", one).set("v2", upstream.image(["two"]));
        await world.sync();
        upstream.tags.delete("v2");
        upstream.tags.set("v3", upstream.image(["three"]));
        upstream.onFetch = () => {
          throw new ScanError("source_unreachable", "the registry answered 500");
        };
        registry.time.now += 43_260_000;

        await world.sync();
        const afterFailure = { ...(await world.status()), tags: Object.keys(await world.tags()).sort() };
        upstream.tags.clear();
        await world.sync();

        expect(afterFailure).toMatchObject({ sync_status: "FAIL", sync_retries_remaining: 2, tags: ["v1", "v2"] });
        expect(await world.status()).toMatchObject({ sync_status: "SUCCESS", sync_retries_remaining: 3 });
        expect(Object.keys(await world.tags()).sort()).toEqual(["v1", "v2"]);
      },
    );

    it.skipIf(engine.skip !== undefined)("neither moves nor removes an immutable tag, and says so", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      const { upstream, registry } = world;
      const [one, two] = [upstream.image(["one"]), upstream.image(["two"])];
      upstream.tags.set("v1", one).set("v2", two).set("v3", two);
      await world.sync();
      await registry.store.db
        .updateTable("tag")
        .set({ immutable_by: "request" })
        .where("name", "in", ["v1", "v2"])
        .execute();
      const again = async () => {
        registry.time.now += 86_400_000;
        await world.sync();
        const mirror = registry.store.db.selectFrom("repository_mirror").select("sync_state");
        return (await mirror.executeTakeFirstOrThrow()).sync_state;
      };

      upstream.tags.set("v1", two);
      const moved = await again();
      upstream.tags.set("v1", one).delete("v2");
      upstream.tags.delete("v3");
      const removed = await again();

      expect([moved, removed]).toEqual(["FAIL", "SUCCESS"]);
      expect(await world.tags()).toEqual({ v1: one, v2: two });
      const failed = (await registry.usageLog()).find(({ kind }) => kind === "repo_mirror_sync_tag_failed");
      expect(failed?.metadata).toMatchObject({
        message: expect.stringContaining("v1: Cannot overwrite immutable tag 'v1'"),
      });
    });

    it.skipIf(engine.skip !== undefined)("waits for its next turn after three failures", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      world.upstream.open = () => Promise.reject(new ScanError("unauthorized", "log in first"));

      const seen = [];
      for (let run = 0; run < 4; run++) {
        await world.sync();
        const { sync_status, sync_retries_remaining, sync_start_date } = await world.status();
        seen.push([sync_status, sync_retries_remaining, sync_start_date]);
      }

      expect(seen).toEqual([
        ["FAIL", 2, "2026-11-21T00:00:00Z"],
        ["FAIL", 1, "2026-11-21T00:00:00Z"],
        ["FAIL", 3, "2026-11-22T00:00:00Z"],
        ["FAIL", 3, "2026-11-22T00:00:00Z"],
      ]);
      const log = await world.registry.usageLog();
      expect(log.at(-1)?.metadata).toMatchObject({
        message: "'registry.example/team/app' with tag pattern 'v*': log in first",
      });
    });

    it.skipIf(engine.skip !== undefined)(
      "ends the tag of an upstream that lies about a digest or a size, and copies the others",
      async () => {
        await using world = await openMirrorWorld(engine, fakeUpstream());
        const { upstream } = world;
        const good = upstream.image(["good"]);
        upstream.tags.set("v1", upstream.image(["expected"])).set("v2", good);
        const [layer = good] = await blobsOf(upstream, "v1");
        upstream.replace(layer, "exchange");

        await world.sync();

        expect(await world.tags()).toEqual({ v2: good });
        expect((await world.status()).sync_status).toBe("FAIL");
        const failed = (await world.registry.usageLog()).find(({ kind }) => kind === "repo_mirror_sync_tag_failed");
        expect(failed?.metadata).toMatchObject({ tag: "v1", message: expect.stringContaining(layer) });
        expect(await world.store.db.selectFrom("upload").select("id").execute()).toEqual([]);
      },
    );

    it.skipIf(engine.skip !== undefined)("goes on where an interrupted run ended, without copying again", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      const { upstream, registry } = world;
      upstream.tags.set("v1", upstream.image(["base", "one"])).set("v2", upstream.image(["base", "two"]));
      const failing = (await blobsOf(upstream, "v2")).at(-1);
      let isDown = true;
      upstream.onFetch = (reference) => {
        if (reference === failing && isDown) throw new Error("the database went away");
      };
      await world.sync();
      const interrupted = await world.status();
      const fetched = [...upstream.fetchedBlobs];
      isDown = false;
      registry.time.now += 60_000;

      await world.sync();

      expect(interrupted.sync_status).toBe("SYNCING");
      expect((await world.status()).sync_status).toBe("SUCCESS");
      expect(upstream.fetchedBlobs).toEqual([...fetched, failing]);
      expect((await world.kinds()).filter((kind) => kind.endsWith("started"))).toHaveLength(1);
    });

    it.skipIf(engine.skip !== undefined)("takes a run over whose job is lost", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      const { upstream, store } = world;
      upstream.tags.set("v1", upstream.image(["one"]));
      await store.db.updateTable("repository_mirror").set({ sync_state: "SYNCING", is_enabled: 0 }).execute();

      await world.sync();

      expect((await world.status()).sync_status).toBe("SUCCESS");
    });

    it.skipIf(engine.skip !== undefined)("is stopped by a cancellation, which is told", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      const { upstream, call } = world;
      upstream.tags.set("v1", upstream.image(["one"])).set("v2", upstream.image(["two"]));
      let answer: number | undefined;
      upstream.onFetch = async () => {
        answer ??= (await call("POST", "/repository/acme/app/mirror/sync-cancel")).status;
      };

      await world.sync();

      expect(answer).toBe(201);
      expect((await world.status()).sync_status).toBe("CANCEL");
      expect((await world.kinds()).filter((kind) => kind === "repo_mirror_sync_failed")).toHaveLength(1);
      expect(await listJobs(world.store.db, { kind: syncMirrorJob.kind })).toEqual([]);
    });

    it.skipIf(engine.skip !== undefined)("is stopped where its job is cancelled, and does not come back", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      const { upstream, store, clock } = world;
      upstream.tags.set("v1", upstream.image(["one"])).set("v2", upstream.image(["two"]));
      upstream.onFetch = async () => {
        const [job] = await listJobs(store.db, { kind: syncMirrorJob.kind });
        if (job) await store.transaction((db) => cancelJobById(db, job.id, { clock, kinds: kindsWithRows }));
      };

      await world.sync();
      await mirrorSchedule.follow(store.db, clock);

      expect((await world.status()).sync_status).toBe("CANCEL");
      expect(await listJobs(store.db, { kind: syncMirrorJob.kind })).toEqual([]);
    });

    it.skipIf(engine.skip !== undefined)(
      "runs on demand while the mirror is disabled, and by itself only while it is enabled",
      async () => {
        await using world = await openMirrorWorld(engine, fakeUpstream());
        const { upstream, call } = world;
        upstream.tags.set("v1", upstream.image(["one"]));
        await call("PUT", "/repository/acme/app/mirror", { is_enabled: false });
        await world.sync();
        const before = await world.status();
        await call("POST", "/repository/acme/app/mirror/sync-now");

        await world.sync();

        expect(before.sync_status).toBe("NEVER_RUN");
        expect((await world.status()).sync_status).toBe("SUCCESS");
      },
    );

    it.skipIf(engine.skip !== undefined)("does not run at once what was due before there was a worker", async () => {
      await using world = await openMirrorWorld(engine, fakeUpstream());
      await world.store.db.updateTable("repository_mirror").set({ sync_retries: 0 }).execute();

      await world.sync();

      expect(await world.status()).toMatchObject({
        ...{ sync_status: "NEVER_RUN", sync_retries_remaining: 3, sync_start_date: "2026-11-22T00:00:00Z" },
      });
    });

    it.skipIf(engine.skip !== undefined)(
      "counts what it brings for the quota, and ends where that is full",
      async () => {
        await using world = await openMirrorWorld(engine, fakeUpstream());
        const { upstream, store } = world;
        upstream.tags.set("v1", upstream.image(["x".repeat(1000)])).set("v2", upstream.image(["y".repeat(1000)]));
        const { id: namespace_id } = await store.db
          .selectFrom("account")
          .select("id")
          .where("username", "=", "acme")
          .executeTakeFirstOrThrow();
        const { id: quota_id } = await store.db
          .insertInto("quota")
          .values({ namespace_id, limit_bytes: 1500 } as never)
          .returning("id")
          .executeTakeFirstOrThrow();
        await store.db
          .insertInto("quota_limit")
          .values({ quota_id, type: "Reject", threshold_percent: 100 } as never)
          .execute();

        await world.sync();

        expect(Object.keys(await world.tags())).toEqual(["v1"]);
        expect((await world.status()).sync_status).toBe("FAIL");
        expect(JSON.stringify(await world.registry.usageLog())).toContain("Quota has been exceeded");
      },
    );
  },
);

/** The digests of the blobs of a tag of the fake, its configuration first. */
async function blobsOf(upstream: ReturnType<typeof fakeUpstream>, tag: string) {
  const repository = await upstream.open({ host: "", path: "", verifiesTls: true });
  const { bytes } = await repository.fetchManifest(tag);
  const { layers } = JSON.parse(Buffer.from(bytes).toString()) as {
    layers: { digest: ReturnType<typeof upstream.image> }[];
  };
  return layers.map(({ digest }) => digest);
}
