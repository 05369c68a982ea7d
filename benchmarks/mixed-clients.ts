/**
 * 30 clients that push, pull, list tags and read a repository for 20 seconds without pauses: requests per second and response times on
 * one node and on two; on SQLite also what has used its single writer, and for how long. The nodes share a folder for blobs and an SQLite
 * file, or the empty PostgreSQL database that `PLIMSOLL_TEST_POSTGRES` names.
 *
 *     node --conditions=plimsoll-source benchmarks/mixed-clients.ts [SECONDS]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { pushImage } from "../tests/support/push-image.ts";
import { seededRandom } from "../tests/support/seeded-random.ts";
import { percentile } from "./lib/percentile.ts";
import { call, joinRegistry, type ServedRegistry, startRegistry } from "./lib/registry.ts";
import type { Serving } from "./lib/serving.ts";
import { soakBases, soakImage } from "./lib/soak-images.ts";
import { printWriters } from "./lib/writer-turns.ts";

const seconds = Number(process.argv[2] ?? 20);
const clients = 30;
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
const random = seededRandom(1);

try {
  using first = await startRegistry(scratch, process.env.PLIMSOLL_TEST_POSTGRES);
  const bases = await soakBases();
  const firstImage = await soakImage(bases, random);
  await pushImage(`${first.address}/v2/first/app`, first.basic, { image: firstImage, reference: "v0" });
  await measure("one node", [first]);
  using second = await joinRegistry(scratch, first.database);
  await measure("two nodes", [first, second]);

  /** Lets all clients work, each with one of the nodes, and prints the results. */
  async function measure(title: string, nodes: readonly Serving[]): Promise<void> {
    for (const node of nodes) await node.tell({});
    const waits = new Map<string, number[]>();
    const until = performance.now() + seconds * 1000;
    const work = async (client: number) => {
      const address = nodes[client % nodes.length]?.address ?? "";
      while (performance.now() < until) {
        const [kind, act] = await choose(address, client);
        const startedAt = performance.now();
        await act();
        const known = waits.get(kind) ?? [];
        known.push(performance.now() - startedAt);
        waits.set(kind, known);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
    const all = [...waits.values()].flat();
    console.log(`${title}: ${(all.length / seconds).toFixed(0)} a second; load ${loadavg()[0]?.toFixed(1)}`);
    for (const [kind, each] of waits) {
      const [p50, p99] = [0.5, 0.99].map((part) => percentile(each, part).toFixed(1));
      console.log(
        `  ${kind.padEnd(16)} ${(each.length / seconds).toFixed(0).padStart(5)}/s  p50 ${p50} ms  p99 ${p99} ms`,
      );
    }
    for (const node of nodes) printWriters((await node.tell({})).writers);
  }

  /** Chooses the next action of a client. Images are built before it, so that this is not counted as the server's time. */
  async function choose(address: string, client: number): Promise<readonly [string, () => Promise<unknown>]> {
    const { basic, bearer: authorization } = first;
    const chance = random();
    const api = (path: string) => () =>
      call({ address }, { method: "GET", path: `/api/v1/repository/first/${path}`, authorization });
    if (chance < 0.1) {
      const image = await soakImage(bases, random);
      return [
        "push an image",
        () => pushImage(`${address}/v2/first/app`, basic, { image, reference: `client-${client}` }),
      ];
    }
    if (chance < 0.5) return ["pull an image", () => pull(address, first)];
    if (chance < 0.75) return ["list tags", api("app/tag/?limit=50")];
    return ["a repository", api("app?includeTags=false")];
  }
} finally {
  rmSync(scratch, { recursive: true });
}

/** Pulls a manifest by tag, and all its blobs. */
async function pull(address: string, { basic }: ServedRegistry): Promise<void> {
  const headers = { authorization: basic, accept: "application/vnd.oci.image.manifest.v1+json" };
  const get = async (path: string) => {
    const answer = await request(`${address}/v2/first/app/${path}`, { headers });
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode} ${await answer.body.text()}`);
    return Buffer.from(await answer.body.arrayBuffer());
  };
  const { config, layers } = JSON.parse((await get("manifests/v0")).toString());
  for (const { digest } of [config, ...layers]) await get(`blobs/${digest}`);
}
