import type { ScanError } from "@plimsoll/core";
import { buildImage, buildIndex, buildLayer, openRegistryServer, type RegistryFault } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { buildApp, open, pull, serve, withCode } from "./fixtures/pulls.ts";

describe("fromRegistry", () => {
  it("finds an image by tag, with its platform, layers and diff ids", async () => {
    await serve({}, async (server, image) => {
      const [found] = await pull(server, "team/app:1.0");

      expect(found).toMatchObject({
        reference: `${server.host}/team/app:1.0`,
        manifestDigest: image.digest,
        platform: { os: "linux", architecture: "amd64" },
        layers: image.layers.map(({ digest, diffId, bytes, mediaType }) => ({
          kind: "blob",
          digest,
          mediaType,
          reopens: true,
          expected: { digest, diffId, sizeBytes: bytes.length },
        })),
      });
    });
  });

  it("finds an image by digest", async () => {
    await serve({}, async (server, image) => {
      const [found] = await pull(server, `team/app@${image.digest}`);
      expect(found?.manifestDigest).toBe(image.digest);
    });
  });

  it("reads docker's own forms", async () => {
    await serve({}, async (server) => {
      const image = buildImage({ layers: [await buildLayer({ a: "b" })], form: "docker" });
      server.put("team/old", image, "latest");
      const [found] = await pull(server, "team/old");
      expect(found?.layers).toHaveLength(1);
    });
  });

  it("asks for manifests of both families", async () => {
    await serve({}, async (server) => {
      await pull(server, "team/app:1.0");
      const accept = server.requests.find(({ path }) => path.includes("/manifests/"))?.accept;
      expect(accept).toContain("application/vnd.oci.image.index.v1+json");
      expect(accept).toContain("application/vnd.docker.distribution.manifest.v2+json");
    });
  });

  it("chooses an image of an index by platform, and takes all when asked to", async () => {
    await serve({}, async (server) => {
      const layer = await buildLayer({ a: "b" });
      const amd = buildImage({ layers: [layer] });
      const arm = buildImage({ layers: [layer], platform: { os: "linux", architecture: "arm64" } });
      server.put("team/multi", buildIndex([amd, arm]), "1");

      const [chosen] = await pull(server, "team/multi:1", {
        options: {},
        opening: { platform: { os: "linux", architecture: "arm64" } },
      });
      const all = await pull(server, "team/multi:1", { options: {}, opening: { platform: "all" } });

      expect(chosen?.manifestDigest).toBe(arm.digest);
      expect(all.map(({ manifestDigest }) => manifestDigest)).toEqual([amd.digest, arm.digest]);
      await expect(
        pull(server, "team/multi:1", { options: {}, opening: { platform: { os: "linux", architecture: "s390x" } } }),
      ).rejects.toEqual(withCode("no_such_platform", "linux/amd64, linux/arm64"));
    });
  });

  it("does not take a manifest that is not the one asked for", async () => {
    await serve({}, async (server, image) => {
      server.fail({ kind: "corrupt", path: "/manifests/" });
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("digest_mismatch", "1.0"));
      server.putManifest("team/app", image.digest, await buildApp("other"));
      await expect(pull(server, `team/app@${image.digest}`)).rejects.toEqual(withCode("digest_mismatch", image.digest));
    });
  });

  it.each<[string, RegistryFault["kind"], ScanError["code"]]>([
    ["a corrupt configuration", "corrupt", "digest_mismatch"],
  ])("does not take %s", async (_name, kind, code) => {
    await serve({}, async (server, image) => {
      server.fail({ kind, path: image.config.digest } as RegistryFault);
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode(code, image.config.digest));
    });
  });

  it("refuses a layer that is longer or shorter than its descriptor says", async () => {
    await serve({}, async (server, image) => {
      const described = (size: number) => image.layers.map(({ digest, mediaType }) => ({ digest, mediaType, size }));
      server.put("team/app", buildImage({ layers: image.layers, manifest: { layers: described(20) } }), "long");
      server.put("team/app", buildImage({ layers: image.layers, manifest: { layers: described(9_000_000) } }), "short");
      await expect(pull(server, "team/app:long")).rejects.toEqual(withCode("size_mismatch", "more"));
      await expect(pull(server, "team/app:short")).rejects.toEqual(withCode("size_mismatch"));
    });
  });

  it("does not read a manifest of more than 4 MiB", async () => {
    await serve({}, async (server, image) => {
      const bytes = new Uint8Array(4 * 1024 ** 2 + 1).fill(0x20);
      server.putManifest("team/app", "huge", { ...image, bytes });
      await expect(pull(server, "team/app:huge")).rejects.toEqual(withCode("malformed_image", "4194304"));
    });
  });

  it.each<[string, number, ScanError["code"], string]>([
    ["team/app:none", 404, "not_found", "check the name"],
    ["team/app:1.0", 403, "unauthorized", "does not permit"],
    ["team/app:1.0", 418, "source_unreachable", "418"],
  ])("explains why %s cannot be had: %d", async (reference, status, code, message) => {
    await serve({}, async (server) => {
      if (status !== 404) server.fail({ kind: "status", status, path: "/manifests/" });
      await expect(pull(server, reference)).rejects.toEqual(withCode(code, message));
    });
  });

  it("names an artifact that is no image", async () => {
    await serve({}, async (server) => {
      const chart = buildImage({
        layers: [],
        manifest: {
          config: {
            mediaType: "application/vnd.cncf.helm.config.v1+json",
            digest: `sha256:${"0".repeat(64)}`,
            size: 2,
          },
        },
      });
      server.put("team/chart", chart, "1");
      await expect(pull(server, "team/chart:1")).rejects.toEqual(withCode("unsupported_media_type", "helm"));
    });
  });

  it("says that a host cannot be reached", async () => {
    const gone = await openRegistryServer();
    await gone[Symbol.asyncDispose]();
    await expect(open(`${gone.host}/team/app`)).rejects.toEqual(
      withCode("source_unreachable", "nothing listens there"),
    );
  });
});
