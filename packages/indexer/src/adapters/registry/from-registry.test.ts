import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { BlobLayer, OpenedSource, OpenSourceOptions, ScanError } from "@plimsoll/core";
import {
  type BuiltImage,
  buildImage,
  buildIndex,
  buildLayer,
  layerChecking,
  loopbackCertificate,
  openRegistryServer,
  type RegistryFault,
  type RegistryServer,
  type RegistryServerOptions,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fixedCredential } from "./credentials.ts";
import { fromRegistry, type RegistryOptions } from "./from-registry.ts";

const delays: number[] = [];
const retry = { sleep: async (delayMs: number) => delays.push(delayMs), random: () => 0, firstDelayMs: 1 };

const app = buildApp();

async function buildApp(content = "NAME=app\n"): Promise<BuiltImage> {
  const layers = [await buildLayer({ "etc/os-release": content }), await buildLayer({ big: randomText(300_000) })];
  return buildImage({ layers });
}

/** Text that does not compress well, the same every time. */
function randomText(length: number): string {
  let state = 1;
  const next = () => (state = (state * 48271) % 2147483647);
  return Array.from({ length }, () => String.fromCharCode(33 + (next() % 90))).join("");
}

function open(
  reference: string,
  options: RegistryOptions = {},
  opening: Partial<OpenSourceOptions> = {},
): Promise<OpenedSource> {
  return fromRegistry(reference, { retry, ...options }).open({ ...layerChecking(), ...opening });
}

/** Opens, reads every layer, and says what the image is. */
async function pull(
  server: RegistryServer,
  reference: string,
  options: RegistryOptions = {},
  opening: Partial<OpenSourceOptions> = {},
) {
  const full = { ...layerChecking(), ...opening };
  await using source = await open(`${server.host}/${reference}`, options, full);
  for (const image of source.images) {
    for (const layer of image.layers) if (layer.kind === "blob") await full.readLayer(layer);
  }
  return source.images;
}

async function serve(
  options: RegistryServerOptions,
  use: (server: RegistryServer, image: BuiltImage) => Promise<void>,
): Promise<void> {
  await using server = await openRegistryServer(options);
  const image = await app;
  server.put("team/app", image, "1.0");
  await use(server, image);
}

function withCode(code: ScanError["code"], message = ""): unknown {
  return expect.objectContaining({ name: "ScanError", code, message: expect.stringContaining(message) });
}

/** A proxy for plain HTTP that leads every host to the same place; TLS it does not pass on. */
async function openProxy(target: string): Promise<AsyncDisposable & { readonly address: string }> {
  const proxy = createServer((incoming, outgoing) => {
    const { pathname, search } = new URL(incoming.url ?? "");
    const forwarded = request(`http://${target}${pathname}${search}`, { headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.end();
  });
  proxy.on("connect", (_request, socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  const dispose = async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  };
  return { address: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: dispose };
}

const user = { kind: "basic", username: "ann", password: "pass:word" } as const;
const users = { ann: "pass:word" };

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

      const [chosen] = await pull(server, "team/multi:1", {}, { platform: { os: "linux", architecture: "arm64" } });
      const all = await pull(server, "team/multi:1", {}, { platform: "all" });

      expect(chosen?.manifestDigest).toBe(arm.digest);
      expect(all.map(({ manifestDigest }) => manifestDigest)).toEqual([amd.digest, arm.digest]);
      await expect(
        pull(server, "team/multi:1", {}, { platform: { os: "linux", architecture: "s390x" } }),
      ).rejects.toEqual(withCode("no_such_platform", "linux/amd64, linux/arm64"));
    });
  });

  it.each<[string, RegistryServerOptions, RegistryOptions["credentials"]]>([
    ["anonymous tokens", { auth: "token" }, undefined],
    ["access_token", { auth: "token", tokenMember: "access_token" }, undefined],
    ["tokens for a user", { auth: "token", users }, { find: async () => user }],
    [
      "a refresh token",
      { auth: "token", users, identityToken: "refresh" },
      { find: async () => ({ kind: "identity-token", token: "refresh" }) },
    ],
    ["basic", { auth: "basic", users }, { find: async () => user }],
  ])("pulls with %s", async (_name, serverOptions, credentials) => {
    await serve(serverOptions, async (server, image) => {
      const [found] = await pull(server, "team/app:1.0", credentials === undefined ? {} : { credentials });
      expect(found?.manifestDigest).toBe(image.digest);
      const tokens = server.requests.filter(({ path }) => path.startsWith("/token"));
      expect(tokens).toHaveLength(serverOptions.auth === "token" ? 1 : 0);
    });
  });

  it("takes a new token when the old one is no longer accepted", async () => {
    await serve({ auth: "token" }, async (server) => {
      await using source = await open(`${server.host}/team/app:1.0`);
      server.forgetTokens();
      const [layer] = (source.images[0]?.layers ?? []) as BlobLayer[];
      if (layer === undefined) throw new Error("no layer");
      expect(await layerChecking().readLayer(layer)).toMatchObject({ digest: layer.digest });
    });
  });

  it("says that a login is needed, or that it is not valid, without telling secrets", async () => {
    await serve({ auth: "token", users }, async (server) => {
      const wrong = fixedCredential(server.host, { kind: "basic", username: "ann", password: "s3cret-Pw" });
      const error = await pull(server, "team/app:1.0", { credentials: wrong }).catch((caught: unknown) => caught);

      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("unauthorized", "log in"));
      expect(error).toEqual(withCode("unauthorized", "log in again"));
      expect(String(error)).not.toContain("s3cret-Pw");
      expect(String(error)).not.toContain(Buffer.from("ann:s3cret-Pw").toString("base64"));
    });
  });

  it("says to log in where only a password would do", async () => {
    await serve({ auth: "basic", users }, async (server) => {
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("unauthorized", "log in"));
    });
  });

  it("says to log in when an anonymous token is not enough", async () => {
    await serve({ auth: "token" }, async (server) => {
      server.fail(...Array.from({ length: 2 }, () => ({ kind: "status", status: 401, path: "/manifests/" }) as const));
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("unauthorized", `log in to ${server.host}`));
    });
  });

  it("does not send credentials to a token endpoint without TLS on another machine", async () => {
    await serve({ auth: "token", users, realm: "http://auth.example/token" }, async (server) => {
      await expect(pull(server, "team/app:1.0", { credentials: { find: async () => user } })).rejects.toEqual(
        withCode("source_unreachable", "http://auth.example"),
      );
    });
  });

  it("names the token service where that is what cannot be reached", async () => {
    await serve({ auth: "token", users, realm: "http://127.0.0.1:1/token" }, async (server) => {
      const message = `the token service 127.0.0.1:1 cannot be reached for the token that ${server.host} asks for (`;
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", message));
    });
  });

  it("names the token service where its answer breaks", async () => {
    const service = createServer((_request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy());
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
    await serve({ auth: "token", realm: `http://${host}/token` }, async (server) => {
      const message = `the token service ${host} cannot be reached for the token that ${server.host} asks for (`;
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", message));
    });
    service.close();
  });

  it("follows redirects to blob storage without the authorization", async () => {
    await serve({ auth: "token", redirectBlobs: true }, async (server) => {
      await pull(server, "team/app:1.0");
      const storage = server.requests.filter(({ origin }) => origin === "storage");
      expect(storage).toHaveLength(3);
      expect(storage.every(({ authorization }) => authorization === undefined)).toBe(true);
    });
  });

  it("names the host that a redirect led to where that is what cannot be reached", async () => {
    await serve({}, async (server) => {
      const location = "http://127.0.0.1:1/storage";
      server.fail(...Array.from({ length: 6 }, () => ({ kind: "redirect", path: "/blobs/", location }) as const));
      const message = `127.0.0.1:1, where ${server.host} leads, cannot be reached for document sha256:`;
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", message));
    });
  });

  it("does not answer a challenge of blob storage", async () => {
    await serve({ auth: "token", users, redirectBlobs: true }, async (server) => {
      const headers = { "www-authenticate": `Bearer realm="http://${server.host}/token",service="test-registry"` };
      server.fail({ kind: "status", status: 401, path: "signature=", headers });
      const credentials = { find: async () => user };
      await expect(pull(server, "team/app:1.0", { credentials })).rejects.toEqual(withCode("unauthorized"));
      expect(server.requests.filter(({ path }) => path.startsWith("/token"))).toHaveLength(1);
    });
  });

  it.each<[string, RegistryFault, string]>([
    ["to a file", { kind: "redirect", path: "/manifests/", location: "file:///etc/passwd" }, "no web address"],
    ["in circles", { kind: "redirect", path: "/manifests/", location: "/v2/team/app/manifests/1.0" }, "redirects"],
  ])("does not follow redirects %s", async (_name, fault, message) => {
    await serve({}, async (server) => {
      server.fail(...Array.from({ length: 6 }, () => fault));
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", message));
    });
  });

  it.each<[string, RegistryFault]>([
    ["a 503", { kind: "status", status: 503, path: "/manifests/" }],
    ["a 500 of a blob", { kind: "status", status: 500, path: "/blobs/" }],
    ["a reset manifest", { kind: "reset", afterBytes: 10, path: "/manifests/" }],
    ["a blob reset before its first byte", { kind: "reset", afterBytes: 0, path: "/blobs/" }],
    ["a token endpoint's 503", { kind: "status", status: 503, path: "/token" }],
  ])("tries again after %s", async (_name, fault) => {
    await serve({ auth: "token" }, async (server, image) => {
      server.fail(fault);
      const [found] = await pull(server, "team/app:1.0");
      expect(found?.manifestDigest).toBe(image.digest);
    });
  });

  it("waits as long as a registry asks, and gives up when that is too long", async () => {
    await serve({}, async (server) => {
      server.fail({ kind: "status", status: 429, path: "/manifests/", headers: { "retry-after": "7" } });
      delays.length = 0;
      await pull(server, "team/app:1.0");
      expect(delays).toEqual([7000]);

      server.fail({ kind: "status", status: 429, path: "/manifests/", headers: { "retry-after": "3600" } });
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", "limits"));
    });
  });

  it.each([
    ["with ranges", false],
    ["from servers that ignore ranges", true],
  ])("takes up a blob where the connection broke, %s", async (_name, ignoreRanges) => {
    await serve({ ignoreRanges }, async (server, image) => {
      const path = `/blobs/${image.layers[1]?.digest}`;
      server.fail({ kind: "reset", afterBytes: 100_000, path }, { kind: "truncate", afterBytes: 70_000, path });
      await pull(server, "team/app:1.0");
      const ranges = server.requests.filter((request) => request.path.endsWith(path)).map(({ range }) => range);
      expect(ranges).toHaveLength(3);
      expect(ranges[0]).toBeUndefined();
      expect(ranges[1]).toMatch(/^bytes=\d+-$/);
    });
  });

  it("gives up after the last attempt, naming the host and the blob", async () => {
    await serve({}, async (server, image) => {
      const digest = image.layers[1]?.digest ?? "";
      server.fail(...Array.from({ length: 5 }, () => ({ kind: "reset", afterBytes: 10, path: digest }) as const));
      const error = await pull(server, "team/app:1.0").catch((caught: unknown) => caught);
      expect(error).toEqual(withCode("source_unreachable", server.host));
      expect(error).toEqual(withCode("source_unreachable", digest));
    });
  });

  it("asks again for what does not come, after the idle time", async () => {
    await serve({}, async (server, image) => {
      server.fail({ kind: "stall", afterBytes: 10, path: image.layers[1]?.digest ?? "" });
      const [found] = await pull(server, "team/app:1.0", { timeouts: { idleMs: 100 } });
      expect(found?.manifestDigest).toBe(image.digest);
    });
  });

  it("stops waiting for a layer when the signal of its reader does", async () => {
    await serve({}, async (server, image) => {
      server.fail({ kind: "stall", afterBytes: 10, path: image.layers[1]?.digest ?? "" });
      const readLayer: OpenSourceOptions["readLayer"] = async (layer) => {
        const giveUp = new AbortController();
        for await (const _chunk of layer.open(giveUp.signal)) {
          if (layer.expected.digest === image.layers[1]?.digest) giveUp.abort();
        }
        return layerChecking().readLayer(layer);
      };
      await expect(pull(server, "team/app:1.0", {}, { readLayer })).rejects.toEqual(withCode("aborted"));
    });
  });

  it("ends a stalled layer at its deadline", async () => {
    await serve({}, async (server, image) => {
      server.fail({ kind: "stall", afterBytes: 10, path: image.layers[1]?.digest ?? "" });
      await expect(pull(server, "team/app:1.0", { timeouts: { layerMs: 200 } })).rejects.toEqual(withCode("timed_out"));
    });
  });

  it("stops when its signal does", async () => {
    await serve({}, async (server, image) => {
      const controller = new AbortController();
      server.fail({ kind: "stall", afterBytes: 10, path: image.layers[1]?.digest ?? "" });
      const readLayer: OpenSourceOptions["readLayer"] = async (layer) => {
        for await (const _chunk of layer.open())
          if (layer.expected.digest === image.layers[1]?.digest) controller.abort();
        return layerChecking().readLayer(layer);
      };
      await expect(pull(server, "team/app:1.0", {}, { signal: controller.signal, readLayer })).rejects.toEqual(
        withCode("aborted"),
      );
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

  it("asks mirrors first and falls back to the registry", async () => {
    await serve({}, async (mirror, image) => {
      await using registry = await openRegistryServer();
      registry.put("team/app", image, "1.0");
      registry.put("team/other", image, "1.0");
      const mirrors = { [registry.host]: ["http://127.0.0.1:1", `http://${mirror.host}`] };

      await pull(registry, "team/app:1.0", { mirrors });
      expect(registry.requests).toEqual([]);

      await pull(registry, "team/other:1.0", { mirrors });
      expect(registry.requests.length).toBeGreaterThan(0);
    });
  });

  it("takes a blob up at the registry when a mirror breaks for good", async () => {
    await serve({}, async (mirror, image) => {
      await using registry = await openRegistryServer();
      registry.put("team/app", image, "1.0");
      const path = image.layers[1]?.digest ?? "";
      mirror.fail(...Array.from({ length: 5 }, () => ({ kind: "reset", afterBytes: 20, path }) as const));
      await pull(registry, "team/app:1.0", { mirrors: { [registry.host]: [`http://${mirror.host}`] } });
      expect(
        registry.requests.filter(({ path: asked }) => asked.includes("/blobs/")).map(({ range }) => range),
      ).toEqual([expect.stringMatching(/^bytes=\d+-$/)]);
    });
  });

  it("talks plain HTTP beyond loopback only to hosts listed as insecure, also through a proxy", async () => {
    await serve({}, async (server, image) => {
      await using proxy = await openProxy(server.host);
      const options = { proxy: { httpProxy: proxy.address, httpsProxy: proxy.address } };
      const reference = "registry.test/team/app:1.0";

      await expect(open(reference, options)).rejects.toEqual(withCode("source_unreachable", "registry.test"));
      await using source = await open(reference, { ...options, insecure: ["registry.test"] });

      expect(source.images[0]?.manifestDigest).toBe(image.digest);
      expect(server.requests.length).toBeGreaterThan(0);
    });
  });

  it("leaves loopback out of a proxy", async () => {
    await serve({}, async (server, image) => {
      const proxy = { httpProxy: "http://127.0.0.1:1", httpsProxy: "http://127.0.0.1:1", noProxy: "other.test" };
      const [found] = await pull(server, "team/app:1.0", { proxy });
      expect(found?.manifestDigest).toBe(image.digest);
    });
  });

  it("refuses a mirror that is no address", async () => {
    const options = { mirrors: { "docker.io": ["ftp://mirror"] } };
    await expect(open("nginx", options)).rejects.toEqual(withCode("unsupported_source", "ftp://mirror"));
  });

  it("verifies certificates against the CA it is given", async () => {
    const { cert, key } = loopbackCertificate();
    const ca = cert.toString();
    await serve({ auth: "token", tls: { key: key.toString(), cert: ca } }, async (server, image) => {
      const [found] = await pull(server, "team/app:1.0", { ca });
      const [trusting] = await pull(server, "team/app:1.0", { insecure: [server.host] });

      expect([found?.manifestDigest, trusting?.manifestDigest]).toEqual([image.digest, image.digest]);
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable"));
    });
  });
});
