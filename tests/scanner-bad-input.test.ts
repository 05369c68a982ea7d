/** What clients and layers may try: each is refused in the contract's words, nothing leaks, and the service goes on. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { allEcosystems, createEngine, defaultLimits } from "@plimsoll/core";
import { buildLayer, compress, digestOf, type FeedAnswer, usualTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { startTestService, type TestService } from "./support/scanner-service.ts";

const resources = new AsyncDisposableStack();
let service: TestService;
beforeAll(async () => {
  const { location } = resources.use(await usualTestEngine.create());
  const limits = { ...defaultLimits, maxLayerBytes: 4_000_000 };
  service = resources.use(await startTestService(location, {}, createEngine({ ecosystems: allEcosystems, limits })));
});
afterAll(() => resources.disposeAsync());

const noise = randomBytes(200_000);
const layer = await buildLayer({ "opt/noise": noise });
const bomb = await compress(new Uint8Array(64_000_000), "gzip");
const digestOfOther = digestOf(new TextEncoder().encode("other"));

/** Submits an image of one layer that is answered so. */
async function submitLayer(answer: FeedAnswer, digest: string, path = "layer") {
  const hash = digestOf(randomBytes(16));
  service.layers.answer(`/${path}`, answer);
  const body = { hash, layers: [{ hash: digest, uri: `${service.layers.url}${path}?token=s3cret` }] };
  service.layers.answer(`/${path}?token=s3cret`, answer);
  const headers = { "content-type": "application/vnd.scanner.manifest.v1+json" };
  const answered = await exchange(`${service.url}/indexer/api/v1/index_report`, { method: "POST", body, headers });
  const stored = await exchange(`${service.url}/indexer/api/v1/index_report/${hash}`);
  return { answered, stored };
}

describe("a layer", () => {
  it.each<[string, FeedAnswer, string, number]>([
    ["that is no archive", { body: noise }, digestOf(noise), 400],
    ["that inflates without measure", { body: bomb }, digestOf(bomb), 400],
    ["that never ends", { body: noise, endless: true }, digestOf(noise), 400],
    ["of another digest", { body: layer.bytes }, digestOfOther, 500],
    ["that breaks off", { body: layer.bytes, cutAfterBytes: 1000 }, layer.digest, 500],
    ["that is not there", { status: 404 }, digestOfOther, 500],
    ["that needs other credentials", { status: 403 }, digestOfOther, 500],
    [
      "at an address that leads inside",
      { status: 302, headers: { location: "http://10.0.0.1/x" } },
      digestOfOther,
      400,
    ],
    [
      "at an address that leads to a file",
      { status: 302, headers: { location: "file:///etc/passwd" } },
      digestOfOther,
      500,
    ],
  ])("%s is refused, and the refusal is stored", async (_, answer, digest, status) => {
    const { answered, stored } = await submitLayer(answer, digest);

    expect(answered.status).toBe(status);
    expect(answered.json).toEqual({ code: expect.any(String), message: expect.any(String) });
    expect(answered.headers["content-type"]).toBe("application/vnd.scanner.error.v1+json");
    expect(answered.text).not.toContain("s3cret");
    expect(stored.json).toMatchObject({ state: "IndexError", success: false });
    expect(stored.text).not.toContain("s3cret");
  });
});

describe("a manifest", () => {
  const submit = (body: unknown, headers: Record<string, string> = {}) =>
    exchange(`${service.url}/indexer/api/v1/index_report`, { method: "POST", body, headers });
  const hash = `sha256:${"0".repeat(64)}`;
  const at = (headers: object, uri = service.layers.url) => ({ hash, layers: [{ hash, uri, headers }] });

  it.each<[string, () => unknown, number]>([
    ["of brackets only", () => "[".repeat(500_000), 400],
    ["of nested objects", () => `${'{"layers":'.repeat(50_000)}1${"}".repeat(50_000)}`, 400],
    ["that is no UTF-8", () => Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString("latin1"), 400],
    ["with a prototype for a hash", () => '{"__proto__":{"hash":"x"},"layers":[]}', 400],
    [
      "with more layers than an image may have",
      () => ({ hash, layers: Array(5_000).fill({ hash, uri: "http://a/" }) }),
      400,
    ],
    ["with user information in an address", () => at({}, "http://user:s3cret@host/"), 400],
    ["with the header of another host", () => at({ Host: ["inside"] }), 400],
    ["with a length of its own", () => at({ "Content-Length": ["5"] }), 400],
    ["with a transfer of its own", () => at({ "Transfer-Encoding": ["chunked"] }), 400],
    ["with a line break in a header", () => at({ "X-A": ["a\r\nX-B: s3cret"] }), 400],
  ])("%s is refused", async (_, body, status) => {
    const answer = await submit(body());

    expect([answer.status, answer.json]).toEqual([status, { code: expect.any(String), message: expect.any(String) }]);
    expect(answer.text.length).toBeLessThan(1000);
    expect(answer.text).not.toContain("s3cret");
  });

  it("that is compressed is refused", async () => {
    expect((await submit("{}", { "content-encoding": "gzip" })).status).toBe(415);
  });

  it("without end and without a length is refused at the limit", async () => {
    const sent = request(`${service.url}/indexer/api/v1/index_report`, { method: "POST", agent: false });
    sent.on("error", () => {}); // the rest is not taken
    const send = () => {
      while (!sent.destroyed && sent.write(Buffer.alloc(64 * 1024, " ")));
    };
    sent.on("drain", send);
    send();
    const [response] = await once(sent, "response");
    sent.destroy();

    expect(response.statusCode).toBe(413);
  });

  it("that is shorter than it says leaves nothing behind", async () => {
    const headers = { "content-length": 1000, "content-type": "application/json" };
    const sent = request(`${service.url}/indexer/api/v1/index_report`, { method: "POST", agent: false, headers });
    const ended = once(sent, "error");
    sent.write('{"hash"', () => sent.destroy(new Error("the client goes away")));
    await ended;

    expect((await exchange(`${service.url}/indexer/api/v1/index_report/${hash}`)).status).toBe(404);
  });
});

describe("after all that, the service", () => {
  it("works", async () => {
    const answer = await exchange(`${service.healthUrl}/readyz`);

    expect([answer.status, answer.text]).toEqual([
      200,
      "ok\ndatabase: ok\ndatabase writes: ok\nfeeds: none is loaded\n",
    ]);
  });
});
