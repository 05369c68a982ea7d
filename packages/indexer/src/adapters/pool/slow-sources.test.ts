import { allEcosystems, createEngine } from "@plimsoll/core";
import type { LayerBytes } from "@plimsoll/core/internal";
import { buildTar } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openLayerPool } from "./layer-pool.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const tar = buildTar({ name: "etc/os-release", content: 'ID=debian\nVERSION_ID="12"\n' });

/** A layer whose second half comes when it is told to. */
function stalledLayer() {
  const [opened, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* open() {
    opened.resolve();
    yield tar.subarray(0, 700);
    await rest.promise;
    yield tar.subarray(700);
  }
  const layer: LayerBytes = { open, reopens: false, expected: {} };
  return { layer, opened: opened.promise, send: rest.resolve };
}

/** One look of the pool at its threads. */
async function look(): Promise<void> {
  vi.advanceTimersByTime(1_000);
  await new Promise((resolve) => setImmediate(resolve));
}

async function lookUntil<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) await look();
  return promise;
}

describe("a pool of one thread", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  it("reads a layer beside one whose bytes do not come", async () => {
    await using pool = openLayerPool({ engine, maxThreads: 1 });
    const stalled = stalledLayer();
    const reading = pool.readLayer(stalled.layer);
    await stalled.opened;
    const { layer, send } = stalledLayer();
    send();

    expect((await lookUntil(pool.readLayer(layer))).sizeBytes).toBe(tar.length);

    stalled.send();
    expect((await reading).sizeBytes).toBe(tar.length);
  });

  it("starts three more threads at most, and reads the rest when one is free", async () => {
    await using pool = openLayerPool({ engine, maxThreads: 1 });
    const stalled = Array.from({ length: 5 }, stalledLayer);
    const readings = stalled.map(({ layer }) => pool.readLayer(layer));
    let isLastOpened = false;
    stalled[4]?.opened.then(() => {
      isLastOpened = true;
    });
    for (const { opened } of stalled.slice(0, 4)) await lookUntil(opened);

    for (let looks = 0; looks < 20; looks++) await look();
    expect(isLastOpened).toBe(false);

    for (const { send } of stalled) send();
    for (const reading of readings) expect((await lookUntil(reading)).sizeBytes).toBe(tar.length);
  });
});
