import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { allEcosystems, createEngine, ScanError } from "@plimsoll/core";
import type { LayerBytes, LayerReader } from "@plimsoll/core/internal";
import { buildTar, collectGarbage, compress, digestOf, streamBytes } from "@plimsoll/testing";
import { afterAll, describe, expect, it, vi } from "vitest";
import { engine as costlyEngine, engineWithoutModule } from "../../fixtures/costly-engine.ts";
import { loggedLayers } from "../../fixtures/service-parts.ts";
import { parseLayerRecord } from "../../values/layer-record.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { type LayerPoolOptions, openLayerPool } from "./layer-pool.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const status = "Package: zlib\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1\n";
const tar = buildTar(
  { name: "opt/status", content: status },
  { name: "var/lib/dpkg/status", type: "2", linkName: "/opt/status" }, // its content has passed by when it is wanted
  { name: "etc/os-release", content: 'ID=debian\nVERSION_ID="12"\n' },
  { name: "usr/.wh.gone", content: "" },
  { name: "large", content: new Uint8Array(3 * 1024 ** 2).map((_, at) => (at * at) >> 7) },
);

function layerOf(bytes: Uint8Array, more: Partial<LayerBytes> = {}): LayerBytes {
  return { open: () => streamBytes(bytes, 10_000), reopens: true, expected: { digest: digestOf(bytes) }, ...more };
}

/** A layer with one file of that name. */
function layerNamed(name: string): LayerBytes {
  return layerOf(buildTar({ name, content: `${"a".repeat(40)}b` }));
}

/** A layer whose manifest states a size. */
function sized(layer: LayerBytes, sizeBytes: number): LayerBytes {
  return { ...layer, expected: { ...layer.expected, sizeBytes } };
}

async function failureOf(reading: Promise<unknown>): Promise<unknown> {
  return reading.then(
    () => "nothing",
    (error: unknown) => error,
  );
}

/** A pool of the engine whose detectors do what files are called after, usually with a budget of 0.4 seconds and 64 MB. */
function costlyPool(more: Partial<LayerPoolOptions> = {}) {
  const budget = { layerCpuSeconds: 0.4, layerHeapMegabytes: 64 };
  return openLayerPool({ engine: costlyEngine, budget, maxThreads: 2, ...more });
}

describe("openLayerPool", () => {
  const pool = openLayerPool({ engine, maxThreads: 1 }); // of tests whose subject is no pool of their own
  afterAll(() => pool[Symbol.asyncDispose]());

  it.each(["plain", "gzip", "zstd"] as const)("finds in a %s layer what the calling thread finds", async (how) => {
    const bytes = compress(tar, how);

    const read = await pool.readLayer(layerOf(bytes));

    const expected = await nodeReaders(engine).readLayer(layerOf(bytes));
    expect(read).toEqual(expected);
    expect(read.record.pieces.join()).toContain('"zlib"');
    expect(parseLayerRecord(read.record).shape.leaves.has("large")).toBe(true);
  });

  it("finds in a folder what the calling thread finds", async () => {
    const folder = join(import.meta.dirname, "../../../../../examples/custom-detector/root");

    const found = await pool.readFolder(folder);

    expect(found).toEqual(await nodeReaders(engine).readFolder(folder));
  });

  it("finds in files of two layers what the calling thread finds", async () => {
    const [below, above] = (await loggedLayers()).map(({ bytes }) => layerOf(bytes)) as [LayerBytes, LayerBytes];
    const path = "var/lib/rpm/rpmdb.sqlite";
    const parts = [
      { layer: below, paths: [path] },
      { layer: above, paths: [`${path}-wal`] },
    ];

    const found = await pool.readTogether({ digest: digestOf(tar), parts });

    expect(found).toEqual(await nodeReaders(engine).readTogether({ digest: digestOf(tar), parts }));
    expect(found.pieces.join()).toContain('"bash"');
  });

  it.each(["report", "index"] as const)("makes the %s that the calling thread makes", async (purpose) => {
    const here = nodeReaders(engine);
    const { record } = await here.readLayer(layerOf(tar));
    const foreign = { status: "foreign", digest: digestOf(tar), message: "lies elsewhere" } as const;
    const layers = [{ status: "read", record } as const, foreign, { status: "read", record } as const];
    const image = { manifestDigest: digestOf(tar), layers, purpose };

    const made = await pool.makeReport(image);

    expect(made).toEqual(await here.makeReport(image));
    expect(made.report.join()).toContain('"zlib"');
    expect(made.records.join().includes('"contentId"')).toBe(purpose === "index");
  });

  it("makes the report of a large image with one thread, and lets the others go before", async () => {
    using _never = withoutTimeouts(); // a thread that has nothing to do would end later anyway
    const threads: Worker[] = [];
    const note = (thread: Worker) => threads.push(thread);
    process.on("worker", note);
    await using pool = openLayerPool({ engine, maxThreads: 2 });
    const many = buildTar(...Array.from({ length: 30_000 }, (_, at) => ({ name: `file-${at}` })));
    const [{ record }] = await Promise.all([pool.readLayer(layerOf(many)), pool.readLayer(layerOf(many))]);
    process.off("worker", note);
    const ended = Promise.race(threads.map((thread) => once(thread, "exit")));
    const imageOf = (layers: number) => ({
      manifestDigest: digestOf(tar),
      layers: Array.from({ length: layers }, () => ({ status: "read", record }) as const),
      purpose: "report" as const,
    });
    const stillThere = () => threads.filter(({ threadId }) => threadId !== -1).length;

    await pool.makeReport(imageOf(2));
    const beside = stillThere();
    await pool.makeReport(imageOf(40));
    await ended;

    expect([threads.length, beside, stillThere()]).toEqual([2, 2, 1]);
  });

  it("reads a part of a file by itself", async () => {
    await using file = await open(import.meta.filename);
    const never = () => {
      throw new Error("these bytes are not asked for");
    };

    const reading = pool.readLayer({
      ...layerOf(tar, { open: never }),
      file: { fd: file.fd, offset: 0, sizeBytes: 2000 },
    });

    await expect(reading).rejects.toMatchObject({ code: "malformed_archive" });
  });

  it.each([
    ["is damaged", compress(tar, "gzip").fill(0, 500, 600), "layer_corrupt"],
    ["is cut off", compress(tar, "gzip").subarray(0, 900), "layer_truncated"],
    ["is no layer", new Uint8Array(1000).fill(7), "malformed_archive"],
  ])("throws what reading throws of a layer that %s, and goes on", async (_, bytes, code) => {
    await expect(pool.readLayer(layerOf(bytes, { expected: {} }))).rejects.toMatchObject({ name: "ScanError", code });

    expect((await pool.readLayer(layerOf(tar))).sizeBytes).toBe(tar.length);
  });

  it("keeps nothing of what it has read, however long its threads live", async () => {
    await using pool = openLayerPool({ engine, maxThreads: 1 });
    const fail = async () => {
      const error = new TypeError("the disk is gone");
      async function* open() {
        yield tar.subarray(0, 1000);
        throw error;
      }
      return (await failureOf(pool.readLayer(layerOf(tar, { open })))) === error ? new WeakRef(error) : undefined;
    };

    const failures = [await fail(), await fail()];
    await pool.readLayer(layerOf(tar));
    collectGarbage();

    expect(failures.map((failure) => failure instanceof WeakRef && failure.deref())).toEqual([undefined, undefined]);
  });

  it("throws the error of a source as it is", async () => {
    const error = new TypeError("the disk is gone");
    async function* failing() {
      yield tar.subarray(0, 1000);
      throw error;
    }

    expect(await failureOf(pool.readLayer(layerOf(tar, { open: failing })))).toBe(error);
  });

  it.each([
    ["loops for ever", "layerCpuSeconds, 0.4 s of CPU time", { layerCpuSeconds: 0.4, layerHeapMegabytes: undefined }],
    ["backtracks for ever", "layerCpuSeconds, 0.4 s of CPU time", { layerCpuSeconds: 0.4 }],
    ["grows for ever", "layerHeapMegabytes, 64 MB of memory", { layerHeapMegabytes: 64 }],
  ])(
    "ends a layer that %s, naming the layer and the limit, and reads others meanwhile",
    async (name, limit, budget) => {
      await using pool = costlyPool({ budget });
      const costly = layerNamed(name);

      const failure = failureOf(pool.readLayer(costly));
      const others = await Promise.all(Array.from({ length: 5 }, () => pool.readLayer(layerNamed("harmless"))));

      expect(others).toHaveLength(5);
      const error = (await failure) as ScanError;
      expect(error).toBeInstanceOf(ScanError);
      expect(error.code).toBe("layer_too_costly");
      expect(error.message).toBe(`reading layer ${costly.expected.digest} takes more than ${limit}`);
    },
  );

  it("outlives a layer that needs more than the budget in one piece", async () => {
    await using pool = costlyPool();

    const failure = failureOf(pool.readLayer(layerNamed("needs one huge piece of memory")));

    expect(await failure).toMatchObject({ code: "layer_too_costly" });
  });

  it.each(["loops for ever", "ends its thread"])("replaces the thread of a layer that %s", async (name) => {
    await using pool = costlyPool({ maxThreads: 1 });
    const failed = failureOf(pool.readLayer(layerNamed(name)));
    const next = pool.readLayer(layerNamed("harmless")); // waits for the only thread

    expect(await failed).toBeInstanceOf(Error);
    expect(parseLayerRecord((await next).record).findings).toHaveProperty("costly");
  });

  it("does not count the time that a layer's bytes take to come", async () => {
    await using pool = costlyPool({ budget: { layerCpuSeconds: 0.2 } });

    expect(await readSlowly(pool.readLayer, 600)).toBe("read");
  });

  it("reads small layers one after the other in one thread, since starting another takes longer", async () => {
    const threads: Worker[] = [];
    const note = (thread: Worker) => threads.push(thread);
    process.on("worker", note);
    await using pool = costlyPool({ budget: {} });
    const small = layerNamed("harmless");

    await Promise.all(Array.from({ length: 4 }, () => pool.readLayer(sized(small, 2048))));
    const few = threads.length;
    await Promise.all(
      Array.from({ length: 2 }, () => pool.readLayer(sized(small, 4 * 1024 ** 2)).catch(() => "odd size")),
    );
    process.off("worker", note);

    expect([few, threads.length]).toEqual([1, 2]);
  });

  it("starts a thread for a small layer that waits too long for another", async () => {
    await using pool = costlyPool({ budget: {} });
    const giveUp = new AbortController();
    const first = failureOf(pool.readLayer(layerNamed("loops for ever"), { signal: giveUp.signal }));

    const read = await pool.readLayer(sized(layerNamed("harmless"), 2048));
    giveUp.abort();

    expect(read.record.pieces).toHaveLength(1);
    expect(await first).toMatchObject({ code: "aborted" });
  });

  it("gives up when its signal is aborted, while waiting for a thread and while reading", async () => {
    await using pool = costlyPool({ maxThreads: 1, budget: {} });
    const [reading, waiting] = [new AbortController(), new AbortController()];
    const first = pool.readLayer(layerNamed("loops for ever"), { signal: reading.signal });
    const second = pool.readLayer(layerNamed("harmless"), { signal: waiting.signal });

    waiting.abort();
    await expect(second).rejects.toMatchObject({ code: "aborted" });
    reading.abort();
    await expect(first).rejects.toMatchObject({ code: "aborted" });

    expect((await pool.readLayer(layerNamed("harmless"))).record.pieces).toHaveLength(1);
  });

  it("ends what it reads when it is closed", async () => {
    const pool = costlyPool();
    const reading = failureOf(pool.readLayer(layerNamed("loops for ever")));

    await pool[Symbol.asyncDispose]();

    expect(await reading).toMatchObject({ code: "aborted" });
    expect(await failureOf(pool.readLayer(layerNamed("harmless")))).toMatchObject({ code: "aborted" });
  });

  it("reads in the calling thread for an engine whose detectors threads cannot have", async () => {
    await using pool = openLayerPool({ engine: engineWithoutModule });

    const { record } = await pool.readLayer(layerNamed("harmless"));

    expect(parseLayerRecord(record).findings).toEqual({ costly: [{ kind: "database", path: "harmless" }] });
  });

  it("says so when a module exports another engine", async () => {
    await using pool = openLayerPool({ engine: { ...costlyEngine, state: "another" }, maxThreads: 1 });

    await expect(pool.readLayer(layerNamed("harmless"))).rejects.toThrow(
      'expected an export "engine" with the same state',
    );
  });
});

/** Has no time-out pass until it is disposed of. */
function withoutTimeouts(): Disposable {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

/** Reads a layer whose bytes come in two halves, with a pause between them. */
async function readSlowly(readLayer: LayerReader, pauseMs: number): Promise<string> {
  const bytes = buildTar({ name: "harmless" });
  async function* halves() {
    yield bytes.subarray(0, 700);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    yield bytes.subarray(700);
  }
  await readLayer({ open: halves, reopens: false, expected: {} });
  return "read";
}
