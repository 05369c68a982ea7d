/** Caches of real registries. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { memoryTestEngine } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openProxyWorld } from "../packages/registry-api/src/sources/proxy-caches/fixtures/proxy-world.ts";
import { guardedUpstreams } from "../packages/server/src/registry/upstreams.ts";
import { contentOf, PushClient } from "./support/push-client.ts";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { indexType, manifestType, openOwnSource, pusher, sourceRegistries } from "./support/source-registries.ts";
import { tempFolder } from "./support/temp-folder.ts";

const permitting = { allowedInternalHosts: ["127.0.0.1"], onRefused: () => {} };

for (const { name, isMissing, open } of sourceRegistries) {
  describe.skipIf(isMissing)(`a cache of ${name}`, () => {
    it("pulls images of several architectures through it, and serves them when it is gone", async () => {
      await using source = await open();
      const push = pusher(source);
      const images = [await push.image("base", "amd64"), await push.image("base", "arm64")];
      const index = await push.manifest("v1", indexType, {
        ...{ schemaVersion: 2, mediaType: indexType },
        manifests: images.map((image) => ({ ...image, mediaType: manifestType })),
      });
      const config = { upstream_registry: `${source.host}/alice`, upstream_registry_username: "alice" };
      await using world = await openProxyWorld(memoryTestEngine, guardedUpstreams(permitting), { config });

      const first = await world.pull("app", "v1");
      await world.work();
      const missing = await world.pull("app", "v9");
      await source[Symbol.asyncDispose]();
      const later = await world.pull("app", "v1");
      const unseen = await world.pull("app", "v2");

      expect(first).toEqual([index.digest, images[0]?.digest]);
      expect(missing).toBe(404);
      expect(later).toEqual(first);
      expect(unseen).toBe(503);
      expect(await world.tags("app")).toEqual({ v1: index.digest });
    });

    it("does not ask at an internal address that is not allowed", async () => {
      await using source = await open();
      await pusher(source).image("base", "one", "v1");
      const refused: unknown[] = [];
      const onRefused = (each: unknown) => void refused.push(each);
      const config = { upstream_registry: `${source.host}/alice` };
      const upstreams = guardedUpstreams({ allowedInternalHosts: [], onRefused });
      await using world = await openProxyWorld(memoryTestEngine, upstreams, { config });

      expect(await world.pull("app", "v1")).toBe(404);
      expect(refused).not.toEqual([]);
    });
  });
}

describe("a cache of a cache", () => {
  it("asks through both, also for a blob whose manifest neither has seen, and serves when the source is gone", async () => {
    await using source = await openOwnSource();
    const push = pusher(source);
    const image = await push.image("base", "one", "v1");
    await push.image("other base", "two", "v2");
    using folders = tempFolder();
    await using near = await startCache(join(folders.path, "near"), { upstream_registry: `${source.host}/alice` });
    await using far = await startCache(join(folders.path, "far"), {
      upstream_registry: `${near.host}/hub`,
      upstream_registry_username: "$oauthtoken",
      upstream_registry_password: near.token,
    });
    const client = new PushClient(`${far.process.url}/v2/hub/app/`, far.token);

    const unseen = await client.ask("GET", `blobs/${contentOf("two").digest}`, { expected: [200] });
    const first = await client.pull("v1");
    const missing = await client.pull("v9");
    await source[Symbol.asyncDispose]();
    const later = await client.pull("v1");

    expect(await unseen.text()).toBe("two");
    expect([first, missing, later]).toEqual([image.digest, undefined, image.digest]);
  });
});

async function startCache(folder: string, config: object): Promise<RegistryProcess> {
  const registry = await startRegistry(folder, { allowedInternalHosts: "127.0.0.1" });
  await registry.call("POST", "/organization/", { name: "hub", email: "hub@example.com" });
  await registry.call("POST", "/organization/hub/proxycache", config);
  return registry;
}

describe("a cache of a registry that misbehaves", () => {
  it.each([
    { what: "limits us", status: 429, headers: { "retry-after": "77" }, answer: [429, "77"] },
    { what: "wants a login", status: 401, headers: {}, answer: [404, null] },
    { what: "fails", status: 500, headers: {}, answer: [503, "5"] },
    {
      what: "redirects to an internal address",
      status: 307,
      headers: { location: "http://10.0.0.1/" },
      answer: [404, null],
    },
  ])("answers $answer.0 where it $what", async ({ status, headers, answer }) => {
    const server = createServer((_request, response) => void response.writeHead(status, headers).end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const config = { upstream_registry: `127.0.0.1:${port}/team` };
    const upstreams = guardedUpstreams({ allowedInternalHosts: ["127.0.0.1/32"], onRefused: () => {} });
    await using world = await openProxyWorld(memoryTestEngine, upstreams, { config });

    const answered = await world.send("GET", "hub/app/manifests/v1", { as: "bob" });

    expect([answered.status, answered.headers.get("retry-after")]).toEqual(answer);
    server.close();
  });
});
