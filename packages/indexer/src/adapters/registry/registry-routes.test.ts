import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { loopbackCertificate, openRegistryServer } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { open, pull, serve, withCode } from "./fixtures/pulls.ts";

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

describe("fromRegistry by mirrors, proxies and TLS", () => {
  it("asks mirrors first and falls back to the registry", async () => {
    await serve({}, async (mirror, image) => {
      await using registry = await openRegistryServer();
      registry.put("team/app", image, "1.0");
      registry.put("team/other", image, "1.0");
      const mirrors = { [registry.host]: ["http://127.0.0.1:1", `http://${mirror.host}`] };

      await pull(registry, "team/app:1.0", { options: { mirrors } });
      expect(registry.requests).toEqual([]);

      await pull(registry, "team/other:1.0", { options: { mirrors } });
      expect(registry.requests.length).toBeGreaterThan(0);
    });
  });

  it("takes a blob up at the registry when a mirror breaks for good", async () => {
    await serve({}, async (mirror, image) => {
      await using registry = await openRegistryServer();
      registry.put("team/app", image, "1.0");
      const path = image.layers[1]?.digest ?? "";
      mirror.fail(...Array.from({ length: 5 }, () => ({ kind: "reset", afterBytes: 20, path }) as const));
      await pull(registry, "team/app:1.0", { options: { mirrors: { [registry.host]: [`http://${mirror.host}`] } } });
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
      const [found] = await pull(server, "team/app:1.0", { options: { proxy } });
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
      const [found] = await pull(server, "team/app:1.0", { options: { ca } });
      const [trusting] = await pull(server, "team/app:1.0", { options: { insecure: [server.host] } });

      expect([found?.manifestDigest, trusting?.manifestDigest]).toEqual([image.digest, image.digest]);
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable"));
    });
  });
});
