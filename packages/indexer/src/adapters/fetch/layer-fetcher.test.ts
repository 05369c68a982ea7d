import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import type { ManifestLayer } from "@plimsoll/core/internal";
import { addressGuard, type RefusedAddress } from "@plimsoll/outbound";
import { collectBytes, loopbackCertificate, startProxyServer } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type LayerFetcherOptions, openLayerFetcher } from "./layer-fetcher.ts";

const digest = parseDigest(`sha256:${"a".repeat(64)}`);
const layerAt = (uri: string, headers: ManifestLayer["headers"] = {}): ManifestLayer => ({ digest, uri, headers });

const { cert, key } = loopbackCertificate();
const ca = cert.toString();

const startServer = (listener: RequestListener) => listen(createServer(listener), "http");
const startTlsServer = (listener: RequestListener) => listen(createTlsServer({ cert: ca, key }, listener), "https");

async function listen(server: Server, scheme: string) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${scheme}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const retry = { attempts: 3, firstDelayMs: 1, maxDelayMs: 1, sleep: async () => {}, random: () => 0 };
const open = (options: Partial<LayerFetcherOptions> = {}) =>
  openLayerFetcher({ guard: addressGuard(["127.0.0.1"]), retry, ...options });

async function fetchText(layer: ManifestLayer, options: Partial<LayerFetcherOptions> = {}, signal?: AbortSignal) {
  await using fetcher = open(options);
  return Buffer.from(await collectBytes(fetcher.fetchLayer(layer, signal))).toString();
}

async function failureOf(layer: ManifestLayer, options: Partial<LayerFetcherOptions> = {}, signal?: AbortSignal) {
  const error = await fetchText(layer, options, signal).then(
    (text) => new Error(`fetched ${text.length} bytes`),
    (reason: unknown) => reason,
  );
  if (error instanceof ScanError) return error;
  throw error;
}

/** Answers with the given addresses, the last ones again and again. */
function resolvingTo(...answers: readonly (readonly string[])[]): LookupFunction & { asked: number } {
  const lookup = (_name: string, _options: unknown, callback: Parameters<LookupFunction>[2]) => {
    const addresses = answers[Math.min(lookup.asked++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  lookup.asked = 0;
  return lookup;
}

describe("openLayerFetcher", () => {
  it("sends the manifest's headers and no other", async () => {
    let seen: readonly string[] = [];
    await using server = await startServer((request, response) => {
      seen = request.rawHeaders;
      response.end("layer");
    });

    const text = await fetchText(layerAt(`${server.origin}/blob?a=1`, { "X-Token": ["a", "b"], none: [] }));

    expect(text).toBe("layer");
    const names = seen.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names.toSorted()).toEqual(["connection", "host", "x-token", "x-token"]);
  });

  it.each<[number, string]>([
    [201, "source_unreachable"],
    [206, "source_unreachable"],
    [204, "source_unreachable"],
    [304, "source_unreachable"],
    [400, "source_unreachable"],
    [401, "unauthorized"],
    [403, "unauthorized"],
    [404, "not_found"],
    [410, "not_found"],
  ])("takes %s for a failure that does not pass: %s", async (status, code) => {
    let requests = 0;
    await using server = await startServer((_, response) => {
      requests++;
      response.writeHead(status).end();
    });

    const error = await failureOf(layerAt(`${server.origin}/blob?signature=secret`));

    expect([error.code, requests]).toEqual([code, 1]);
    expect(error.message).toContain(String(status));
    expect(error.message).not.toContain("secret");
  });

  it.each([408, 429, 500, 502, 503, 504])("tries again after %s, with a growing pause", async (status) => {
    const delays: number[] = [];
    let requests = 0;
    await using server = await startServer((_, response) => {
      if (++requests < 3) response.writeHead(status).end("busy");
      else response.end("layer");
    });
    const sleep = async (delayMs: number) => {
      delays.push(delayMs);
    };

    const text = await fetchText(layerAt(server.origin), {
      retry: { ...retry, firstDelayMs: 100, maxDelayMs: 999, sleep },
    });

    expect(text).toBe("layer");
    expect(delays).toEqual([50, 100]);
  });

  it("gives up after the last attempt", async () => {
    let requests = 0;
    await using server = await startServer((_, response) => {
      requests++;
      response.writeHead(503).end();
    });

    expect((await failureOf(layerAt(server.origin))).message).toContain("503");
    expect(requests).toBe(3);
  });

  it("waits as long as the server asks for", async () => {
    const delays: number[] = [];
    let requests = 0;
    await using server = await startServer((_, response) => {
      if (++requests === 1) response.writeHead(429, { "retry-after": "7" }).end();
      else response.end("layer");
    });
    const sleep = async (delayMs: number) => {
      delays.push(delayMs);
    };

    await fetchText(layerAt(server.origin), { retry: { ...retry, sleep } });

    expect(delays).toEqual([7000]);
  });

  it("goes on where a body broke off, without asking for a range", async () => {
    const ranges: unknown[] = [];
    await using server = await startServer((request, response) => {
      ranges.push(request.headers.range);
      response.writeHead(200, { "content-length": 10 });
      if (ranges.length < 3) response.write("01234".slice(0, ranges.length * 2), () => response.destroy());
      else response.end("0123456789");
    });

    expect(await fetchText(layerAt(server.origin))).toBe("0123456789");
    expect(ranges).toEqual([undefined, undefined, undefined]);
  });

  it("refuses a body that is shorter than it says", async () => {
    await using server = await startServer((_, response) => {
      response.writeHead(200, { "content-length": 10 });
      response.write("0", () => response.destroy());
    });

    expect((await failureOf(layerAt(server.origin))).code).toBe("source_unreachable");
  });

  it("gives up a body that does not go on", async () => {
    await using server = await startServer((_, response) => {
      response.writeHead(200).write("0");
    });

    const error = await failureOf(layerAt(server.origin), {
      timeouts: { idleMs: 50 },
      retry: { ...retry, attempts: 1 },
    });

    expect(error.message).toMatch(/its response is too slow: \d+ bytes within/);
  });

  it("gives up an answer that never begins", async () => {
    await using server = await startServer(() => {});

    const error = await failureOf(layerAt(server.origin), {
      timeouts: { idleMs: 50 },
      retry: { ...retry, attempts: 1 },
    });

    expect(error.message).toContain("UND_ERR_HEADERS_TIMEOUT");
  });

  it("gives up a body that never ends", async () => {
    await using server = await startServer((_, response) => {
      const write = () => response.write(Buffer.alloc(1000), () => setImmediate(write));
      write();
    });

    expect((await failureOf(layerAt(server.origin), { timeouts: { totalMs: 100 } })).code).toBe("timed_out");
  });

  it("ends when the caller gives up", async () => {
    const caller = new AbortController();
    await using server = await startServer(() => caller.abort());

    expect((await failureOf(layerAt(server.origin), {}, caller.signal)).code).toBe("aborted");
  });

  it("does not try a connection again that is refused", async () => {
    const server = await startServer(() => {});
    await server[Symbol.asyncDispose]();

    expect((await failureOf(layerAt(server.origin))).message).toContain("ECONNREFUSED");
  });

  describe("redirects", () => {
    it("are followed at the same origin with the headers", async () => {
      await using server = await startServer((request, response) => {
        if (request.url === "/") response.writeHead(307, { location: "/there" }).end();
        else response.end(request.headers.authorization);
      });

      expect(await fetchText(layerAt(server.origin, { authorization: ["secret"] }))).toBe("secret");
    });

    it("are followed to another origin without the headers", async () => {
      await using other = await startServer((request, response) => {
        response.end(`${request.headers.authorization} ${request.headers["x-token"]}`);
      });
      await using server = await startServer((_, response) => {
        response.writeHead(302, { location: other.origin }).end();
      });

      const layer = layerAt(server.origin, { authorization: ["secret"], "x-token": ["secret"] });
      expect(await fetchText(layer)).toBe("undefined undefined");
    });

    it("are not followed for ever", async () => {
      let requests = 0;
      await using server = await startServer((_, response) => {
        response.writeHead(301, { location: `/${requests++}` }).end();
      });

      expect((await failureOf(layerAt(server.origin))).message).toContain("more than 5 redirects");
      expect(requests).toBe(6);
    });

    it.each(["file:///etc/passwd", "ftp://host/", "http://user:secret@host/", "http://["])(
      "are not followed to %s",
      async (location) => {
        await using server = await startServer((_, response) => {
          response.writeHead(302, { location }).end();
        });

        const error = await failureOf(layerAt(server.origin));
        expect(error.code).toBe("source_unreachable");
        expect(error.message).not.toContain("secret");
      },
    );

    it.each([
      "http://127.0.0.2/",
      "http://169.254.169.254/latest/meta-data",
      "http://2130706434/",
      "http://0x7f.2/",
      "http://[::1]/",
      "http://[::ffff:127.0.0.2]/",
      "http://[::ffff:a9fe:a9fe]/",
      "http://0/",
      "https://10.0.0.1/",
      "http://internal.example/",
    ])("are not followed to the internal address %s", async (location) => {
      await using server = await startServer((_, response) => {
        response.writeHead(302, { location }).end();
      });

      const error = await failureOf(layerAt(server.origin), { lookup: resolvingTo(["10.0.0.1"]) });

      expect(error.code).toBe("not_permitted");
      expect(error.message).not.toContain(new URL(location).hostname);
    });

    it("are not followed from TLS to plain HTTP, wherever that is", async () => {
      await using server = await startTlsServer((_, response) => {
        response.writeHead(302, { location: "http://10.1.2.3/" }).end();
      });

      const error = await failureOf(layerAt(server.origin), { ca });

      expect(error.message).toContain("gives up TLS");
      expect(error.message).not.toContain("10.1.2.3");
    });
  });

  describe("names", () => {
    it("are refused when they lead only to internal addresses, without saying which", async () => {
      const lookup = resolvingTo(["10.9.8.7", "fd00::1"]);
      const refused: RefusedAddress[] = [];
      const onRefused = (address: RefusedAddress) => refused.push(address);

      const error = await failureOf(layerAt("http://internal.example/"), { lookup, onRefused });

      expect([error.code, lookup.asked]).toEqual(["not_permitted", 1]);
      expect(error.message).not.toMatch(/10\.9|fd00/);
      expect(refused).toEqual([{ host: "internal.example", addresses: ["10.9.8.7", "fd00::1"] }]);
    });

    it("that have permitted addresses too lead only there", async () => {
      await using server = await startServer((_, response) => response.end("layer"));

      const lookup = resolvingTo(["127.0.0.2", "127.0.0.1", "::1"]);
      expect(await fetchText(layerAt(`http://mixed.example:${server.port}/`), { lookup })).toBe("layer");
    });

    it("that change their address are connected to at the address that was checked, every time", async () => {
      let requests = 0;
      await using server = await startServer((_, response) => {
        requests++;
        response.writeHead(503, { connection: "close" }).end();
      });
      const lookup = resolvingTo(["127.0.0.1"], ["169.254.169.254"]);

      const error = await failureOf(layerAt(`http://rebinding.example:${server.port}/`), { lookup });

      expect([error.code, requests, lookup.asked]).toEqual(["not_permitted", 1, 2]);
    });

    it("that do not exist are an error of the source", async () => {
      const lookup: LookupFunction = (_name, _options, callback) =>
        callback(Object.assign(new Error("none"), { code: "ENOTFOUND" }), "");

      expect((await failureOf(layerAt("http://nowhere.example/"), { lookup })).message).toContain("ENOTFOUND");
    });
  });

  describe("a proxy", () => {
    it("passes plain requests on, with the manifest's headers and the proxy's credentials", async () => {
      await using proxy = await startProxyServer();
      await using server = await startServer((request, response) => {
        response.end(`${request.url} ${request.headers["x-token"]} ${request.headers["proxy-authorization"]}`);
      });
      proxy.lead("layers.example", server.port);
      const httpProxy = proxy.url.replace("//", "//user:secret@");

      const text = await fetchText(layerAt("http://layers.example/blob", { "x-token": ["a"] }), {
        proxy: { httpProxy },
      });

      expect(text).toMatch(/^\/blob a /);
      expect(proxy.requests).toEqual([
        { line: "GET http://layers.example/blob", authorization: `Basic ${btoa("user:secret")}` },
      ]);
    });

    it("tunnels TLS and sees nothing of it", async () => {
      await using proxy = await startProxyServer();
      await using server = await startTlsServer((_, response) => response.end("layer"));
      proxy.lead("localhost.example", server.port);
      const layer = layerAt("https://localhost.example/blob");
      const options = { proxy: { httpsProxy: proxy.url }, retry: { ...retry, attempts: 1 } };

      const untrusted = await failureOf(layer, options);
      const misnamed = await failureOf(layer, { ...options, ca });

      expect([untrusted.message, misnamed.message]).toEqual([
        expect.stringContaining("SELF_SIGNED"),
        expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID"),
      ]);
      expect(new Set(proxy.requests.map(({ line }) => line))).toEqual(new Set(["CONNECT localhost.example:443"]));
    });

    it.each(["http://10.0.0.1/", "https://10.0.0.1/", "http://[fd00::1]/", "http://2130706434/"])(
      "is not asked for %s",
      async (uri) => {
        await using proxy = await startProxyServer();

        const error = await failureOf(layerAt(uri), { proxy: { httpProxy: proxy.url } });

        expect([error.code, proxy.requests]).toEqual(["not_permitted", []]);
      },
    );

    it("is not asked for an internal address that a redirect leads to", async () => {
      await using proxy = await startProxyServer();
      await using server = await startServer((_, response) => {
        response.writeHead(302, { location: "http://169.254.169.254/" }).end();
      });
      proxy.lead("layers.example", server.port);

      const error = await failureOf(layerAt("http://layers.example/"), { proxy: { httpProxy: proxy.url } });

      expect([error.code, proxy.requests.length]).toEqual(["not_permitted", 1]);
    });

    it("is passed by for hosts that are excepted, whose addresses are checked as ever", async () => {
      await using proxy = await startProxyServer();
      const options = { proxy: { httpProxy: proxy.url, noProxy: ".example" }, lookup: resolvingTo(["10.0.0.1"]) };

      const error = await failureOf(layerAt("http://internal.example/"), options);
      const here = await failureOf(layerAt("http://localhost/"), options);

      expect([error.code, here.code, proxy.requests]).toEqual(["not_permitted", "not_permitted", []]);
    });

    it("has no longer to answer than a server", async () => {
      await using proxy = await startProxyServer();
      await using server = await startServer(() => {});
      proxy.lead("layers.example", server.port);
      const options = { timeouts: { idleMs: 50 }, retry: { ...retry, attempts: 1 } };

      const error = await failureOf(layerAt("http://layers.example/"), { ...options, proxy: { httpProxy: proxy.url } });

      expect(error.message).toContain("UND_ERR_HEADERS_TIMEOUT");
    });
  });
});
