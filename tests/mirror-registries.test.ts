/** Mirrors of repositories of real registries, and of their catalogs. */
import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { loopbackCertificate, memoryTestEngine, startProxyServer } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openMirrorWorld } from "../packages/registry-api/src/sources/mirrors/fixtures/mirror-world.ts";
import { openDiscoveryWorld } from "../packages/registry-api/src/sources/organization-mirrors/fixtures/discovery-world.ts";
import { guardedUpstreams } from "../packages/server/src/registry/upstreams.ts";
import { startFront } from "./support/http-front.ts";
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

const [own] = sourceRegistries;
if (own === undefined) throw new Error("expected a registry to mirror");
const upstreams = guardedUpstreams({ allowedInternalHosts: ["127.0.0.1"], onRefused: () => {} });

describe("a mirror", () => {
  it.each([
    { verify_tls: true, status: "FAIL", tags: {} },
    { verify_tls: false, status: "SUCCESS" },
  ])(
    "of a registry whose certificate is not known, with verify_tls $verify_tls, ends as $status",
    async ({ verify_tls, status, tags }) => {
      await using source = await own.open();
      const { digest } = await pusher(source).image("base", "one", "v1");
      await using tls = await startTlsFront(`http://${source.host}`);
      const given = { external_reference: `${tls.host}/alice/app`, external_registry_config: { verify_tls } };
      await using world = await openMirrorWorld(memoryTestEngine, upstreams, given);

      await world.sync();

      expect((await world.status()).sync_status).toBe(status);
      expect(await world.tags()).toEqual(tags ?? { v1: digest });
    },
  );

  it("ends a tag that takes longer than its timeout with the reason, and copies the others", async () => {
    await using source = await own.open();
    const slow = await pusher(source).image("base", "slow", "v1");
    const { digest } = await pusher(source).image("base", "quick", "v2");
    await using front = await startFront(`http://${source.host}`, {
      onRequest: (_, path) => (path.includes(slow.digest) || path.endsWith("/v1") ? new Promise(() => {}) : undefined),
    });
    const given = {
      external_reference: `${new URL(front.url).host}/alice/app`,
      external_registry_config: { verify_tls: false },
    };
    await using world = await openMirrorWorld(memoryTestEngine, upstreams, given);
    const mirrors = world.registry.store.db.updateTable("repository_mirror");
    await mirrors.set({ sync_timeout_s: 0.5 }).execute(); // the API takes five minutes and more

    await world.sync();

    expect(await world.tags()).toEqual({ v2: digest });
    const log = await world.registry.usageLog();
    const failed = log.find(({ kind }) => kind === "repo_mirror_sync_tag_failed");
    expect(failed?.metadata).toMatchObject({
      message: expect.stringContaining("v1: copying the tag v1 took longer than 500 ms"),
    });
  });

  it("reaches its registry by the proxy that it names", async () => {
    await using source = await own.open();
    const { digest } = await pusher(source).image("base", "one", "v1");
    await using proxy = await startProxyServer();
    proxy.lead("up.example", Number(source.host.split(":")[1]));
    const external_registry_config = { verify_tls: false, proxy: { http_proxy: proxy.url, https_proxy: proxy.url } };
    const given = { external_reference: "up.example/alice/app", external_registry_config };
    await using world = await openMirrorWorld(memoryTestEngine, upstreams, given);

    await world.sync();

    expect(await world.tags()).toEqual({ v1: digest });
    expect(proxy.requests.map(({ line }) => line)).toContain("GET http://up.example/v2/alice/app/manifests/v1");
  });
});

describe("a mirror of a registry that limits the rate of requests", () => {
  it.each([
    { what: "goes on when it may ask again", limited: 3, wait: "0", status: "SUCCESS", message: "" },
    {
      what: "fails with the reason where it is to wait for longer than a run does",
      limited: 1e6,
      wait: "86400",
      status: "FAIL",
      message: "429",
    },
  ])("$what", async ({ limited, wait, status, message }) => {
    await using source = await own.open();
    const { digest } = await pusher(source).image("base", "one", "v1");
    let left = limited;
    const limits: string[] = [];
    await using front = await startFront(`http://${source.host}`, {
      answerInstead(_, path) {
        if (!path.includes("/manifests/") || left === 0) return undefined;
        left--;
        limits.push(path);
        return { status: 429, headers: { "retry-after": wait } };
      },
    });
    const given = {
      external_reference: `${new URL(front.url).host}/alice/app`,
      external_registry_config: { verify_tls: false },
    };
    await using world = await openMirrorWorld(memoryTestEngine, upstreams, given);

    await world.sync();

    const shown = await world.status();
    const log = await world.registry.usageLog();
    const failed = log.filter(({ kind }) => kind === "repo_mirror_sync_tag_failed");
    expect(shown.sync_status).toBe(status);
    expect(await world.tags()).toEqual(status === "SUCCESS" ? { v1: digest } : {});
    expect(failed.map(({ metadata }) => metadata)).toEqual(
      message === "" ? [] : [expect.objectContaining({ message: expect.stringContaining(message) })],
    );
    expect(limits.length).toBe(status === "SUCCESS" ? limited : 1);
  });

  it("asks for nothing more until the time that the registry names, unless a user asks", async () => {
    await using source = await own.open();
    for (const tag of ["v1", "v2", "v3", "v4"]) await pusher(source).image("base", tag, tag);
    const limits: string[] = [];
    let isLimited = true;
    await using front = await startFront(`http://${source.host}`, {
      answerInstead(_, path) {
        if (!isLimited || !path.includes("/manifests/")) return undefined;
        limits.push(path);
        return { status: 429, headers: { "retry-after": "7200" } };
      },
    });
    const given = {
      external_reference: `${new URL(front.url).host}/alice/app`,
      external_registry_config: { verify_tls: false },
    };
    await using world = await openMirrorWorld(memoryTestEngine, upstreams, given);

    await world.sync();
    await world.sync();
    world.registry.time.now += 7_100_000;
    await world.sync();

    expect(limits).toEqual(["/v2/alice/app/manifests/v1"]);
    const failed = (await world.registry.usageLog()).filter(({ kind }) => kind === "repo_mirror_sync_tag_failed");
    expect(failed).toHaveLength(4);
    await world.registry.store.db.updateTable("repository_mirror").set({ sync_state: "SYNC_NOW" }).execute();
    await world.sync();
    expect(limits).toHaveLength(2);
    isLimited = false;
    world.registry.time.now += 7_200_000;
    await world.sync();
    expect(Object.keys(await world.tags())).toEqual(["v1", "v2", "v3", "v4"]);
  });
});

describe("a catalog of a registry that limits the rate of requests", () => {
  it("says for how long it is not to be asked", async () => {
    await using front = await startFront("http://127.0.0.1:1", {
      answerInstead: () => ({ status: 429, headers: { "retry-after": "7200" } }),
    });
    await using catalog = await upstreams.openCatalog({ host: new URL(front.url).host, verifiesTls: false });

    await expect(catalog.listRepositories()).rejects.toMatchObject({ retryAfterSeconds: 7200 });
  });
});

/** A server that speaks TLS, with a certificate that no authority has signed, before one that does not. */
async function startTlsFront(target: string): Promise<AsyncDisposable & { readonly host: string }> {
  const { cert, key } = loopbackCertificate();
  const server = createServer({ cert, key }, (asked, answer) => {
    const { method, headers, url } = asked;
    const passed = request(new URL(url ?? "/", target), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      pipeline(given, answer, () => {});
    });
    passed.on("error", () => answer.destroy());
    pipeline(asked, passed, () => {});
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
