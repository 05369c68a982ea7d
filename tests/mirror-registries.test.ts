/** Mirrors of repositories of real registries, and of their catalogs. */
import { memoryTestEngine } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openMirrorWorld } from "../packages/registry-api/src/mirrors/fixtures/mirror-world.ts";
import { openDiscoveryWorld } from "../packages/registry-api/src/organization-mirrors/fixtures/discovery-world.ts";
import { guardedUpstreams } from "../packages/server/src/registry/upstreams.ts";
import { indexType, manifestType, pusher, sourceRegistries } from "./support/source-registries.ts";

for (const { name, isMissing, open } of sourceRegistries) {
  describe.skipIf(isMissing)(`a mirror of ${name}`, () => {
    it("copies images of several architectures with their signatures, once, and says why it cannot", async () => {
      await using source = await open();
      const push = pusher(source);
      const images = [await push.image("base", "amd64"), await push.image("base", "arm64")];
      const index = await push.manifest("v1", indexType, {
        ...{ schemaVersion: 2, mediaType: indexType },
        manifests: images.map((image) => ({ ...image, mediaType: manifestType })),
      });
      const signature = await push.image("signed", "by-tag", `sha256-${index.digest.slice(7)}.sig`);
      await push.image("other", "tag", "other");
      const upstreams = guardedUpstreams({ allowedInternalHosts: ["127.0.0.1"], onRefused: () => {} });
      const login = { external_registry_username: "alice", external_registry_password: "alice" };
      await using world = await openMirrorWorld(memoryTestEngine, upstreams, {
        ...{ external_reference: `${source.host}/alice/app`, ...login },
      });

      await world.sync();
      const first = await world.status();
      const tags = await world.tags();
      await source[Symbol.asyncDispose]();
      world.registry.time.now += 43_260_000;
      await world.sync();

      expect(first.sync_status).toBe("SUCCESS");
      expect(tags).toEqual({ v1: index.digest, [`sha256-${index.digest.slice(7)}.sig`]: signature.digest });
      for (const { digest } of images) expect(await world.manifest(digest)).toBe(200);
      expect((await world.status()).sync_status).toBe("FAIL");
      expect(await world.tags()).toEqual(tags);
      const log = await world.registry.usageLog();
      const last = log.findLast(({ kind }) => kind === "repo_mirror_sync_failed");
      expect(last?.metadata).toMatchObject({ message: expect.stringContaining("cannot be reached") });
    });

    it("becomes one for each repository of its catalog that a rule names", async () => {
      await using source = await open();
      const [app, other] = [pusher(source), pusher(source, "alice/tools/other")];
      await app.image("base", "app", "v1");
      await other.image("base", "other", "v2");
      await pusher(source, "alice/left").image("base", "left", "v3");
      const upstreams = guardedUpstreams({ allowedInternalHosts: ["127.0.0.1"], onRefused: () => {} });
      await using world = await openDiscoveryWorld(memoryTestEngine, upstreams, {
        ...{ external_registry: `${source.host}/alice`, repository_rule: ["*", "!left"] },
        ...{ external_registry_username: "alice", external_registry_password: "alice" },
      });

      await world.round();

      expect(await world.discovered()).toEqual({ "alice/app": "mirrored", "alice/tools/other": "mirrored" });
      expect([await world.tags("app"), await world.tags("tools/other")]).toEqual([["v1"], ["v2"]]);
    });

    it("does not ask at an internal address that is not allowed", async () => {
      await using source = await open();
      const refused: unknown[] = [];
      const onRefused = (each: unknown) => void refused.push(each);
      const upstreams = guardedUpstreams({ allowedInternalHosts: [], onRefused });
      await using world = await openMirrorWorld(memoryTestEngine, upstreams, {
        external_reference: `${source.host}/alice/app`,
      });

      await world.sync();

      expect((await world.status()).sync_status).toBe("FAIL");
      expect(refused).not.toEqual([]);
    });
  });
}
