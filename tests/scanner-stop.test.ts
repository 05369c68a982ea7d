/** `plimsoll serve` while it stops and while clients go away: who waits is answered, and no work is lost. */
import { once } from "node:events";
import { connect } from "node:net";
import { type BuiltImage, engineTitle, type FeedServer, startFeedServer, testEngines } from "@plimsoll/testing";
import { describe, type ExpectStatic, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { debianImage } from "./support/sample-image.ts";
import { ServiceProcess, type SettingTexts } from "./support/service-process.ts";

const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
const other = await debianImage(["zlib1g 1:1.2.13 zlib"]);
const indexReport = "/indexer/api/v1/index_report";
const stateOf = (answer: Awaited<ReturnType<typeof exchange>>) =>
  (answer.json as { state?: string } | undefined)?.state;

/** An indexer in a process of its own, and the server that layers come from. */
class Indexer implements AsyncDisposable {
  readonly layers: FeedServer;
  readonly process: ServiceProcess;

  private constructor(layers: FeedServer, process: ServiceProcess) {
    this.layers = layers;
    this.process = process;
  }

  static async start(database: string, settings: SettingTexts = {}): Promise<Indexer> {
    const layers = await startFeedServer();
    const always = { mode: "indexer", layerNetworks: "127.0.0.1", offline: "1" };
    const started = new Indexer(layers, await ServiceProcess.start({ database, ...always, ...settings }));
    await started.process.listening();
    return started;
  }

  /** @param after until when its layers do not come */
  submit(submitted: BuiltImage, after: Promise<unknown> = Promise.resolve(), signal?: AbortSignal) {
    const layers = submitted.layers.map(({ digest, bytes }) => {
      this.layers.answer(`/${digest}`, { body: bytes, after });
      return { hash: digest, uri: this.layers.url + digest };
    });
    return this.ask(indexReport, { method: "POST", body: { hash: submitted.digest, layers }, signal });
  }

  ask(path: string, asked: Parameters<typeof exchange>[1] = {}) {
    return exchange(this.process.url + path, asked);
  }

  /** Resolves when a layer is asked for. */
  async fetching(expect: ExpectStatic): Promise<void> {
    await expect.poll(() => this.layers.requests.length).toBeGreaterThan(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
    await this.layers[Symbol.asyncDispose]();
  }
}

// At once: one of them waits for 10 s that no setting shortens.
describe.concurrent.each(
  testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })),
)("an indexer on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined)(
    "that is told to stop answers waiting requests, accepts no new ones, and ends well",
    async ({ expect }) => {
      await using database = await engine.create();
      await using indexer = await Indexer.start(database.location);
      const layersCome = Promise.withResolvers<void>();
      const waiting = indexer.submit(image, layersCome.promise);
      await indexer.fetching(expect);

      const stopped = indexer.process.stop();
      await expect.poll(() => indexer.ask("/robots.txt").catch(({ code }) => code)).toBe("ECONNREFUSED");
      const ready = await exchange(`${indexer.process.healthUrl}/readyz`);
      layersCome.resolve();

      expect((await waiting).status).toBe(201);
      expect([ready.status, ready.text]).toEqual([503, "the service stops\ndatabase: ok\ndatabase writes: ok\n"]);
      expect(await stopped).toBe(0);
    },
  );

  it.skipIf(engine.skip !== undefined)(
    "that is told to stop cuts off what takes too long; the next start goes on with it",
    async ({ expect }) => {
      await using database = await engine.create();
      await using indexer = await Indexer.start(database.location);
      const cut = expect(indexer.submit(image, new Promise(() => {}))).rejects.toThrow("socket hang up");
      await indexer.fetching(expect);

      expect(await indexer.process.stop()).toBe(0);
      await cut;
      for (const { digest, bytes } of image.layers) indexer.layers.answer(`/${digest}`, { body: bytes });
      await indexer.process.restart();
      await indexer.process.listening();

      const report = () => indexer.ask(`${indexReport}/${image.digest}`).then(stateOf);
      await expect.poll(report).toBe("IndexFinished");
    },
    60_000,
  );

  it.skipIf(engine.skip !== undefined)("goes on with what a client does not wait for", async ({ expect }) => {
    await using database = await engine.create();
    await using indexer = await Indexer.start(database.location, { indexSlots: "1" });
    const layersCome = Promise.withResolvers<void>();
    const gone = new AbortController();
    const left = expect(indexer.submit(image, layersCome.promise, gone.signal)).rejects.toThrow("aborted");
    await indexer.fetching(expect);

    gone.abort();
    await left;
    const whileBusy = await indexer.submit(other);
    layersCome.resolve();

    const report = () => indexer.ask(`${indexReport}/${image.digest}`).then(stateOf);
    await expect.poll(report).toBe("IndexFinished");
    await expect.poll(() => indexer.submit(other).then(({ status }) => status)).toBe(201); // the slot is free again
    expect(whileBusy.status).toBe(429);
    expect(await indexer.process.stop()).toBe(0);
  });

  it.skipIf(engine.skip !== undefined)(
    "bears clients that leave in the middle of their request",
    async ({ expect }) => {
      await using database = await engine.create();
      await using indexer = await Indexer.start(database.location);

      for (const begun of ["POST ", `POST ${indexReport} HTTP/1.1\r\nHost: i\r\n`, half]) await leave(indexer, begun);

      expect((await indexer.ask("/indexer/api/v1/index_state")).status).toBe(200);
      expect(await indexer.process.stop()).toBe(0);
    },
  );
});

const half = `POST ${indexReport} HTTP/1.1\r\nHost: i\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"ha`;

/** Sends the beginning of a request, and is gone. */
async function leave({ process }: Indexer, begun: string): Promise<void> {
  const socket = connect(Number(new URL(process.url).port), "127.0.0.1");
  await once(socket, "connect");
  await new Promise((resolve) => socket.write(begun, resolve));
  socket.resetAndDestroy();
  await once(socket, "close");
}
