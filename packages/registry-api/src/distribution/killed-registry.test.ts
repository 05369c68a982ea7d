import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { testProgram } from "@plimsoll/testing";
import { expect, it } from "vitest";
import { digestOf, pushImage, sender, type TestDistribution } from "../fixtures/test-distribution.ts";

const { path, execArgv } = testProgram(new URL("./fixtures/killed-registry.ts", import.meta.url));
const name = "alice/images";
const tags = ["a", "b", "c", "d"];
const rounds = 4;

async function start(folder: string) {
  const child = spawn(process.execPath, [...execArgv, path, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(createInterface(child.stdout), "line");
  return {
    send: sender(`127.0.0.1:${String(port)}`),
    async kill() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

type Send = TestDistribution["send"];

/** The possible targets of a tag: the acknowledged one, or if the last change was not acknowledged, the one before or after it. */
type Possible = ReadonlySet<string | undefined>;

/** Changes a tag repeatedly until the registry is killed. */
async function changeTag(
  send: Send,
  tag: string,
  { possible, acknowledged }: { readonly possible: Map<string, Possible>; readonly acknowledged: () => void },
) {
  for (let turn = 0; ; turn++) {
    const before = possible.get(tag) ?? new Set([undefined]);
    const layer = `${tag} ${turn % 3}`.repeat(5000);
    const isDeletion = turn % 4 === 3;
    try {
      if (isDeletion) {
        possible.set(tag, new Set([...before, undefined]));
        await send("DELETE", `${name}/manifests/${tag}`);
        possible.set(tag, new Set([undefined]));
      } else {
        const annotations = { tag, turn: String(turn) };
        const next = pushImage(send, { name, tag, layer, manifest: { annotations } }, (digest) =>
          possible.set(tag, new Set([...before, digest])),
        );
        possible.set(tag, new Set([(await next).digest]));
      }
      acknowledged();
    } catch (error) {
      if (error instanceof TypeError) return; // the connection broke
      if (!/MANIFEST_BLOB_UNKNOWN|upload was cancelled/.test(String(error))) throw error;
      possible.set(tag, before); // on a slow machine its blobs and its upload can be a day old, and collected
    }
  }
}

interface AnyManifest {
  readonly config: { readonly digest: string };
  readonly layers: readonly { readonly digest: string }[];
}

async function checkTag(send: Send, tag: string, possible: Possible): Promise<void> {
  const response = await send("GET", `${name}/manifests/${tag}`);
  const found = response.status === 200 ? digestOf(await response.clone().bytes()) : undefined;
  expect([tag, [...possible]]).toEqual([tag, expect.arrayContaining([found])]);
  if (found === undefined) return;
  const { config, layers } = (await response.json()) as AnyManifest;
  for (const { digest } of [config, ...layers]) {
    const blob = await send("GET", `${name}/blobs/${digest}`);
    expect([tag, digestOf(await blob.bytes())]).toEqual([tag, digest]);
  }
}

it("a registry that is killed loses nothing that was acknowledged", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-killed-"));
  const possible = new Map<string, Possible>();
  let registry = await start(folder);
  try {
    for (let round = 0; round < rounds; round++) {
      let left = 5 + round * 9;
      const enough = Promise.withResolvers<void>();
      const acknowledged = () => void (--left === 0 && enough.resolve());
      const changing = tags.map((tag) => changeTag(registry.send, tag, { possible, acknowledged }));
      await Promise.race([enough.promise, Promise.all(changing)]);
      await registry.kill();
      await Promise.all(changing);

      registry = await start(folder);
      for (const tag of tags) await checkTag(registry.send, tag, possible.get(tag) ?? new Set([undefined]));
    }
  } finally {
    await registry.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
