/** What clients and layers may try: each is refused in the contract's words, nothing leaks, and the service goes on. */
import { randomBytes } from "node:crypto";
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

  it("leaves a service that works", async () => {
    const answer = await exchange(`${service.healthUrl}/readyz`);

    expect([answer.status, answer.text]).toEqual([200, "ok\n"]);
  });
});
