import { parseDigest } from "@plimsoll/core/digest";
import { PushedLayer } from "@plimsoll/registry/push/pushed-layer";
import { ReadingTurns } from "@plimsoll/registry/push/reading-turns";
import { describe, expect, it } from "vitest";
import { digestOf } from "../fixtures/test-distribution.ts";

const blob = { digest: parseDigest(digestOf("layer")), sizeBytes: 5 };

/** A layer whose reading ends only if it is abandoned or stored, and the reported calls. */
function layerNamed(name: string, told: string[]) {
  const layer = new PushedLayer({ read: async function* () {} }, new Uint8Array(100));
  const read = async () => {
    told.push(`${name} begins`);
    await layer.digest.then(
      () => told.push(`${name} is read`),
      () => told.push(`${name} is given up`),
    );
  };
  return { layer, read, send: (bytes: number) => layer.pass(new Uint8Array(bytes)), store: () => layer.commit(blob) };
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

/** Two turns, whose pauses end when the test says so. */
function twoAtOnce() {
  const told: string[] = [];
  let pause = Promise.withResolvers<void>();
  const turns = new ReadingTurns({
    atOnce: 2,
    giveUp: (layer) => layer.abandon(),
    sleep: (_, signal) => Promise.race([pause.promise, endOf(signal)]),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const begin = async (name: string) => {
    const each = layerNamed(name, told);
    void turns.run(each.layer, each.read);
    await settled();
    return each;
  };
  const lookAgain = async () => {
    const { resolve } = pause;
    pause = Promise.withResolvers();
    resolve();
    await settled();
    return told.splice(0);
  };
  return { turns, begin, lookAgain };
}

describe("ReadingTurns", () => {
  it("gives a stored layer the turn of the one that its client sends least of", async () => {
    const { begin, lookAgain } = twoAtOnce();
    const [fast, slow] = [await begin("fast"), await begin("slow")];
    slow.send(50);
    const waits = await begin("waits");
    const stored = await begin("stored");
    waits.send(1);

    expect(await lookAgain()).toEqual(["fast begins", "slow begins"]);
    stored.store();
    fast.send(20);
    slow.send(10);
    expect(await lookAgain()).toEqual(["slow is given up", "stored begins", "stored is read", "waits begins"]);
  });

  it("takes no turn from a layer that is stored, and none where only such wait that are still sent", async () => {
    const { turns, begin, lookAgain } = twoAtOnce();
    const stored = await begin("stored");
    stored.store();
    const { layer } = stored;
    await begin("resting");
    void turns.run(layer, () => new Promise(() => {})); // its bytes are read, but the reader has not ended
    const waiting = await begin("waiting");

    expect(await lookAgain()).toEqual(["stored begins", "resting begins", "stored is read"]);
    waiting.store();
    expect(await lookAgain()).toEqual(["resting is given up", "waiting begins", "waiting is read"]);
  });

  it("takes no turn any more when it is closed", async () => {
    const { turns, begin, lookAgain } = twoAtOnce();
    await begin("one");
    await begin("two");
    (await begin("stored")).store();
    turns.close();

    expect(await lookAgain()).toEqual(["one begins", "two begins"]);
  });
});
