import { parseDigest } from "@plimsoll/core/digest";
import { buildImage, buildLayer, openRegistryServer, type RegistryServerOptions } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { retry } from "./fixtures/pulls.ts";
import { openRemoteRepository, type RemoteRepository } from "./remote-repository.ts";

/** Statuses with which registries, and the storages behind them, answer `HEAD` although they have the object. */
const refusedHeads = [307, 400, 403, 404, 405, 501] as const;

describe("openRemoteRepository", () => {
  it.each(refusedHeads)("finds a tag by GET if HEAD is answered with %d, and then sends no HEAD", async (status) => {
    await using source = await openSource();
    source.server.fail({ kind: "status", status, path: "/manifests/" });

    const first = await source.repository.findDigest("v1");
    const second = await source.repository.findDigest("v1");

    expect([first, second]).toEqual([source.image.digest, source.image.digest]);
    expect(source.methods()).toEqual(["HEAD", "GET", "GET"]);
  });

  it("trusts a HEAD with 404 only after a HEAD that found something", async () => {
    await using source = await openSource();

    const before = await source.repository.findDigest("v9");
    const found = await source.repository.findDigest("v1");
    const after = await source.repository.findDigest("v9");

    expect([before, found, after]).toEqual([undefined, source.image.digest, undefined]);
    expect(source.methods()).toEqual(["HEAD", "GET", "HEAD", "HEAD"]);
  });

  it.each<[string, RegistryServerOptions, number | undefined]>([
    ["by HEAD", {}, undefined],
    ["from a storage that HEAD is not led to", { redirectBlobs: true }, undefined],
    ["from a whole response", { ignoreRanges: true }, 405],
    ...refusedHeads.map((status): [string, RegistryServerOptions, number] => [`by GET after ${status}`, {}, status]),
  ])("finds the size of a blob %s", async (_how, options, status) => {
    await using source = await openSource(options);
    if (status !== undefined) source.server.fail({ kind: "status", status, path: "/blobs/" });
    const layer = source.image.layers[0];

    const found = await source.repository.findBlobSize(parseDigest(layer?.digest ?? ""));
    const missing = await source.repository.findBlobSize(parseDigest(`sha256:${"0".repeat(64)}`));

    expect([found, missing]).toEqual([layer?.bytes.length, undefined]);
  });
});

async function openSource(options: RegistryServerOptions = {}) {
  const image = await buildImage({ layers: [await buildLayer({ "etc/os-release": "NAME=app\n" })] });
  const server = await openRegistryServer(options);
  server.put("team/app", image, "v1");
  const repository: RemoteRepository = await openRemoteRepository(
    { registry: server.host, repository: "team/app" },
    { retry },
  );
  return {
    ...{ image, server, repository },
    /** The methods of the requests for manifests. */
    methods: () => server.requests.filter(({ path }) => path.includes("/manifests/")).map(({ method }) => method),
    async [Symbol.asyncDispose]() {
      await repository[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
