/**
 * Blobs pushed and pulled, in MB/s: beside Debian's docker-registry, and pulled beside nginx, which gives the same bytes as a
 * file. All servers are processes of their own, asked in turn by curl. Random bytes are no layer, which the scanner sees at
 * once; the layer is read while it is pushed.
 *
 *     node --conditions=plimsoll-source benchmarks/registry-blobs.ts
 *
 * What is written goes to the temporary folder and to disk: with `TMPDIR` in memory the servers are measured without the disk.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, copyFileSync, createReadStream, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { curl } from "./lib/curl.ts";
import { hasProgram, median } from "./lib/measure.ts";
import { startDockerRegistry, startNginx, usedBy } from "./lib/other-servers.ts";
import { startRegistry } from "./lib/registry.ts";
import { writeSyntheticLayer } from "./lib/synthetic-layer.ts";

/** A server that is asked, and how. */
interface Contestant {
  readonly name: string;
  readonly address: string;
  readonly pid: number;
  readonly authorization?: string;
}

/** What one transfer took. */
interface Cost {
  readonly megabytesPerSecond: number;
  readonly cpuSeconds: number;
}

const rounds = 7;
const blobBytes = 256 * 1024 ** 2;
const repository = "first/blobs";
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

if (!["docker-registry", "nginx", "curl"].every((each) => hasProgram(each) || hasProgram(`/usr/sbin/${each}`))) {
  console.log("needs docker-registry, nginx and curl: left out");
  process.exit();
}

try {
  using plimsoll = await startRegistry(scratch);
  using docker = await startDockerRegistry(join(scratch, "docker"));
  using nginx = await startNginx(join(scratch, "nginx"));
  const ours: Contestant = { ...plimsoll, name: "plimsoll", authorization: plimsoll.basic };
  const theirs: Contestant = { ...docker, name: "docker-registry" };
  const random = join(scratch, "random");
  const layer = join(scratch, "layer.tar.gz");
  writeRandom(random);
  await writeSyntheticLayer(layer);
  const both = [ours, theirs];
  await compare("push, whole", random, both, (server, digest) => pushWhole(server, random, digest));
  await compare("push, streamed", random, both, (server, digest) => pushStreamed(server, random, digest));
  await compare("push of a layer, streamed", layer, both, (server, digest) => pushStreamed(server, layer, digest));

  const digest = await digestOf(random);
  for (const server of both) pushWhole(server, random, digest);
  copyFileSync(random, join(scratch, "nginx", "files", "blob"));
  const files: Contestant = { ...nginx, name: "nginx" };
  await compare("pull", random, [ours, files, theirs], (server) => {
    const path = server === files ? "blob" : `v2/${repository}/blobs/${digest}`;
    return curl({ ...server, method: "GET", url: `${server.address}/${path}` }).seconds;
  });
  const peaks = [ours, theirs, files].map((each) => `${each.name} ${(usedBy(each).peakBytes / 1e6).toFixed(0)} MB`);
  console.log(`peak ${peaks.join(", ")}; load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** Lets the contestants do it in turn, each time with another blob, and prints the medians; ratios are of the first. */
async function compare(
  name: string,
  file: string,
  contestants: readonly Contestant[],
  run: (server: Contestant, digest: string) => number,
): Promise<void> {
  const costs = new Map<Contestant, Cost[]>(contestants.map((each) => [each, []]));
  for (let round = 0; round <= rounds; round++) {
    if (name !== "pull") changeBlob(file);
    const digest = name === "pull" ? "" : await digestOf(file);
    for (const server of contestants) {
      const before = usedBy(server).cpuSeconds;
      const seconds = run(server, digest);
      const cost = {
        megabytesPerSecond: statSync(file).size / seconds / 1e6,
        cpuSeconds: usedBy(server).cpuSeconds - before,
      };
      if (round > 0) costs.get(server)?.push(cost); // the first one warms up
    }
  }
  const [first = []] = costs.values();
  for (const [server, each] of costs) {
    const speed = median(each.map(({ megabytesPerSecond }) => megabytesPerSecond)).toFixed(0);
    const cpu = median(each.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2);
    const ratio = median(each.map((cost, round) => (first[round]?.megabytesPerSecond ?? 0) / cost.megabytesPerSecond));
    const line = `${name.padEnd(26)} ${server.name.padEnd(16)} ${speed.padStart(5)} MB/s  CPU ${cpu} s`;
    console.log(each === first ? line : `${line}  ratio ${ratio.toFixed(2)}`);
  }
}

function pushWhole(server: Contestant, file: string, digest: string): number {
  return curl({ ...server, method: "PUT", url: withDigest(beginUpload(server), digest), file }).seconds;
}

/** As clients do that compress while they send. */
function pushStreamed(server: Contestant, file: string, digest: string): number {
  const sent = curl({ ...server, method: "PATCH", url: beginUpload(server), file, streamed: true });
  return sent.seconds + curl({ ...server, method: "PUT", url: withDigest(sent.location, digest) }).seconds;
}

function beginUpload(server: Contestant): string {
  return curl({ ...server, method: "POST", url: `${server.address}/v2/${repository}/blobs/uploads/` }).location;
}

function withDigest(address: string, digest: string): string {
  const url = new URL(address);
  url.searchParams.set("digest", digest);
  return url.href;
}

function writeRandom(path: string): void {
  const file = openSync(path, "w");
  for (let at = 0; at < blobBytes; at += 2 ** 24) writeSync(file, randomBytes(2 ** 24));
  closeSync(file);
}

/** Makes another blob of a file, and a gzip file another one of the same content: those bytes are its time. */
function changeBlob(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, randomBytes(4), 0, 4, 4);
  closeSync(file);
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk);
  return `sha256:${hash.digest("hex")}`;
}
