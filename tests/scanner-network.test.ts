/** Where a service goes for layers and feeds: through proxies, and never to addresses that are none of its clients' business. */
import { allEcosystems, allUpdaters, createEngine } from "@plimsoll/core";
import { startServing } from "@plimsoll/server/serve";
import { compress, type FeedAnswer, startFeedServer, startProxyServer, usualTestEngine } from "@plimsoll/testing";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { debianImage, debianTracker } from "./support/sample-image.ts";
import { startTestService, testSettings } from "./support/scanner-service.ts";

const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
/** Of nothing but zeros: any number of them is a well-formed layer. */
const frame = await compress(new Uint8Array(1_000_000), "zstd");
const unknown = `sha256:${"0".repeat(64)}`;
const indexReport = "/indexer/api/v1/index_report";
const engine = createEngine({ ecosystems: allEcosystems });

const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

async function newDatabase(): Promise<string> {
  return resources.use(await usualTestEngine.create()).location;
}

const submit = (service: string, layers: readonly object[]) =>
  exchange(service + indexReport, { method: "POST", body: { hash: image.digest, layers } });

describe("a service behind a proxy", () => {
  it("fetches layers and feeds through it", async () => {
    await using proxy = await startProxyServer();
    await using remote = await startFeedServer();
    const remotePort = Number(new URL(remote.url).port);
    for (const host of ["layers.example", "feeds.example"]) proxy.lead(host, remotePort);
    remote.answer("/tracker.json", { body: debianTracker({ openssl: { "CVE-2024-0001": { urgency: "high" } } }) });
    for (const { digest, bytes } of image.layers) remote.answer(`/${digest}`, { body: bytes });
    const settings = {
      proxy: { httpProxy: proxy.url },
      updatePeriodSeconds: 3600,
      feeds: Object.fromEntries(allUpdaters.map(({ name }) => [name, "http://feeds.example/tracker.json"])),
    };
    await using service = await startTestService(await newDatabase(), settings, engine);
    const layers = image.layers.map(({ digest: hash }) => ({ hash, uri: `http://layers.example/${hash}` }));

    const indexed = await submit(service.url, layers);
    const report = async () =>
      (await exchange(`${service.url}/matcher/api/v1/vulnerability_report/${image.digest}`)).text;
    await expect.poll(report).toContain("CVE-2024-0001");

    const lines = proxy.requests.map(({ line }) => line);
    expect(indexed.status).toBe(201);
    expect(lines).toContain(`GET http://layers.example/${image.layers[0]?.digest}`);
    expect(lines).toContain("GET http://feeds.example/tracker.json");
  });
});

describe("the server of a layer", () => {
  const hash = image.layers[0]?.digest ?? "";
  const bytes = image.layers[0]?.bytes ?? new Uint8Array();

  it("that is busy is asked again", async () => {
    await using service = await startTestService(await newDatabase(), {}, engine);
    service.layers.answer("/layer", { status: 503 }, { body: bytes, cutAfterBytes: 10 }, { body: bytes });

    const answer = await submit(service.url, [{ hash, uri: `${service.layers.url}layer` }]);

    expect([answer.status, service.layers.requests.length]).toEqual([201, 3]);
  });

  it.each<[string, FeedAnswer]>([
    ["does not answer", { silent: true }],
    ["never ends", { body: frame, endless: true }],
  ])("that %s is left after the time that is set, and the service goes on", async (_, answer) => {
    const limits = { maxLayerBytes: Number.MAX_SAFE_INTEGER, maxRatio: Number.MAX_SAFE_INTEGER };
    const settings = { layerTotalSeconds: 1, limits };
    await using service = await startTestService(await newDatabase(), settings);
    service.layers.answer("/layer", answer);

    const refused = await submit(service.url, [{ hash, uri: `${service.layers.url}layer` }]);
    service.layers.answer("/layer", { body: bytes });
    const again = await submit(service.url, [{ hash, uri: `${service.layers.url}layer` }]);

    expect([refused.status, again.status]).toEqual([500, 201]);
    expect(refused.json).toEqual({ code: "internal-error", message: expect.stringContaining("longer than 1000 ms") });
  });

  it("that sends more than the limit is left", async () => {
    await using service = await startTestService(await newDatabase(), { limits: { maxLayerBytes: 1000 } });
    service.layers.answer("/layer", { body: bytes });

    const answer = await submit(service.url, [{ hash, uri: `${service.layers.url}layer` }]);

    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("1000")]);
  });
});

describe("a layer at an internal address", () => {
  it("is refused without a word about the address, which only the log has", async () => {
    const lines: string[] = [];
    const logger = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
    const settings = { ...testSettings, database: await newDatabase(), layerNetworks: [] };
    await using serving = await startServing(settings, { logger, engine, clock: { now: () => Date.now() } });

    const answer = await submit(serving.address, [{ hash: unknown, uri: "http://localhost:1/layer?token=s3cret" }]);
    const stored = await exchange(`${serving.address}${indexReport}/${image.digest}`);

    expect([answer.status, answer.json]).toEqual([
      400,
      { code: "bad-request", message: expect.stringContaining("not on the public internet") },
    ]);
    expect(stored.json).toMatchObject({ state: "IndexError", success: false });
    expect(answer.text + stored.text).not.toMatch(/127\.0\.0\.1|::1|s3cret/);
    expect(JSON.parse(lines.find((line) => line.includes("layer_address_refused")) ?? "{}")).toMatchObject({
      host: "localhost",
      addresses: expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]),
    });
  });
});
