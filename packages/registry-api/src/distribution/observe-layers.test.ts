import { describe, expect, it } from "vitest";
import { type LayerObservation, type LayerObserver, observeLayers } from "./observe-layers.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function* chunks(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield bytes(text);
}

/** An observer that notes what it is told. */
function noting(read: (stream: AsyncIterable<Uint8Array>, seen: string[]) => Promise<void>) {
  const seen: string[] = [];
  const done: Promise<void>[] = [];
  const observer: LayerObserver = {
    observe(stream): LayerObservation {
      done.push(read(stream, seen).catch((error: Error) => void seen.push(`failed: ${error.message}`)));
      return {
        commit: (digest) => void seen.push(`commit ${digest}`),
        abandon: () => void seen.push("abandon"),
      };
    },
  };
  return { seen, observer, finished: () => Promise.all(done) };
}

async function readAll(stream: AsyncIterable<Uint8Array>, seen: string[]): Promise<void> {
  for await (const chunk of stream) seen.push(Buffer.from(chunk).toString());
  seen.push("end");
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of source) text += Buffer.from(chunk).toString();
  return text;
}

const patient = () => new Promise<never>(() => {});
const impatient = async () => {};

describe("observeLayers", () => {
  it("gives on what is pushed, over several requests, and says what it has become", async () => {
    const { seen, observer, finished } = noting(readAll);
    const { tee, commit } = observeLayers({ observer, sleep: patient });

    const pushed = [await textOf(tee("one", 0, chunks("a", "b"))), await textOf(tee("one", 2, chunks("", "c")))];
    commit("one", "sha256:x");
    await finished();

    expect(pushed).toEqual(["ab", "c"]);
    expect(seen.toSorted()).toEqual(["a", "b", "c", "commit sha256:x", "end"]);
    expect(seen.at(-1)).toBe("end");
  });

  it("gives its reader bytes that stay when those of the push are freed", async () => {
    const { seen, observer, finished } = noting(readAll);
    const { tee, commit } = observeLayers({ observer, sleep: patient });

    for await (const chunk of tee("one", 0, chunks("a", "b"))) (chunk.buffer as ArrayBuffer).transfer(0);
    commit("one", "sha256:x");
    await finished();

    expect(seen.toSorted()).toEqual(["a", "b", "commit sha256:x", "end"]);
  });

  it("waits for a slow reader", async () => {
    const gate = Promise.withResolvers<void>();
    const { seen, observer, finished } = noting(async (stream, notes) => {
      await gate.promise;
      await readAll(stream, notes);
    });
    const { tee, commit } = observeLayers({ observer, sleep: patient });
    const passed: string[] = [];
    const push = (async () => {
      for await (const chunk of tee("one", 0, chunks("a", "b", "c"))) passed.push(Buffer.from(chunk).toString());
    })();

    await new Promise(setImmediate);
    const before = [...passed];
    gate.resolve();
    await push;
    commit("one", "sha256:x");
    await finished();

    expect(before).toEqual(["a"]);
    expect(seen.filter((note) => note.length === 1)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["fails at once", () => Promise.reject(new Error("broken"))],
    [
      "fails in between",
      async (stream: AsyncIterable<Uint8Array>) => {
        for await (const _ of stream) throw new Error("broken");
      },
    ],
    [
      "reads no further",
      async (stream: AsyncIterable<Uint8Array>) => {
        for await (const _ of stream) return;
      },
    ],
    ["stalls", () => patient()],
  ])("does without a reader that %s", async (_title, read) => {
    const { observer } = noting(read);
    const { tee, commit } = observeLayers({ observer, sleep: impatient });

    const pushed = await textOf(tee("one", 0, chunks("a", "b", "c", "d")));
    commit("one", "sha256:x");

    expect(pushed).toBe("abcd");
  });

  it("does without an observer that throws", async () => {
    const failing = () => {
      throw new Error("broken");
    };
    const { tee, commit, abandon } = observeLayers({ observer: { observe: failing }, sleep: patient });

    expect(await textOf(tee("one", 0, chunks("a", "b")))).toBe("ab");
    commit("one", "sha256:x");
    abandon("one");
  });

  it("ends the reading of what is cancelled, begun anew or continued elsewhere", async () => {
    const { seen, observer, finished } = noting(readAll);
    const { tee, abandon } = observeLayers({ observer, sleep: patient });

    await textOf(tee("cancelled", 0, chunks("a")));
    abandon("cancelled");
    await textOf(tee("anew", 0, chunks("b")));
    await textOf(tee("anew", 0, chunks("c")));
    const elsewhere = await textOf(tee("anew", 7, chunks("d")));
    await finished();

    expect(elsewhere).toBe("d");
    expect(seen.filter((note) => note === "abandon")).toHaveLength(3);
    expect(seen).not.toContain("end");
    expect(seen).not.toContain("d");
  });

  it("reads a bounded number of uploads", async () => {
    const { seen, observer } = noting(readAll);
    const { tee } = observeLayers({ observer, sleep: patient });

    for (let index = 0; index < 70; index++) await textOf(tee(String(index), 0, chunks("a")));

    expect(seen.filter((note) => note === "abandon")).toHaveLength(6);
  });
});
