/**
 * The speed of pushing and pulling blobs in MB/s. For comparison: Debian's docker-registry, and for pulls nginx, which serves the same
 * bytes as a file. Pushes are also compared to the minimum with `node:http` (`lib/blob-sink.ts`), which shows how much of a push is
 * unavoidable. All servers are separate processes, which curl sends requests to in turn. The scanner detects at once that random bytes
 * are no layer; layers are read during and after the push, and the time until their image is scanned is measured too.
 *
 *     node --conditions=plimsoll-source benchmarks/registry-blobs.ts
 *
 * The servers store blobs in the temporary folder: if `TMPDIR` is in memory, the disk is not part of the measurement. The files of blobs
 * are deleted after each round, outside the measured time, so that a push does not write to memory that the virtual machine has not used
 * before: allocating that costs as much as the push itself, with every server.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { curl } from "./lib/curl.ts";
import { hasProgram, median } from "./lib/measure.ts";
import { atRest, startDockerRegistry, startNginx, usedBy } from "./lib/other-servers.ts";
import { startRegistry } from "./lib/registry.ts";
import { type ScanTimes, timeScan } from "./lib/scan-times.ts";
import { startServer } from "./lib/serving.ts";
import { writeSyntheticLayer } from "./lib/synthetic-layer.ts";

/** A server, and how to send requests to it. */
interface Contestant {
  readonly name: string;
  readonly address: string;
  readonly pid: number;
  readonly authorization?: string;
}

/** The account that calls the management API. */
interface Bearer {
  readonly bearer: string;
}

/** The cost of one transfer. */
interface Cost {
  readonly megabytesPerSecond: number;
  readonly cpuSeconds: number;
}

/** A file to push, with its current digest. */
interface PushedFile {
  readonly path: string;
  readonly digest: string;
}

/** A task of the contestants. */
interface Task {
  readonly name: string;
  /** The files to push, which are changed in each round. */
  readonly pushes?: readonly string[];
  readonly bytes: number;
  /** @returns the seconds it took */
  readonly run: (server: Contestant, files: readonly PushedFile[]) => Promise<number>;
}

const rounds = 7;
const blobBytes = 256 * 1024 ** 2;
const layersAtOnce = 3; // as docker pushes them
const repository = "first/blobs";
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

if (!["docker-registry", "nginx", "curl"].every((each) => hasProgram(each) || hasProgram(`/usr/sbin/${each}`))) {
  console.log("needs docker-registry, nginx and curl: skipped");
  process.exit();
}

try {
  using plimsoll = await startRegistry(scratch);
  using docker = await startDockerRegistry(join(scratch, "docker"));
  using bare = await startServer("sink", join(scratch, "sink"));
  using nginx = await startNginx(join(scratch, "nginx"));
  const ours: Contestant = { ...plimsoll, name: "plimsoll", authorization: plimsoll.basic };
  const theirs: Contestant = { ...docker, name: "docker-registry" };
  const random = join(scratch, "random");
  const layers = Array.from({ length: layersAtOnce }, (_, number) => join(scratch, `layer-${number}.tar.gz`));
  const [layer = ""] = layers;
  writeRandom(random);
  await writeSyntheticLayer(layer);
  for (const copy of layers.slice(1)) copyFileSync(layer, copy);
  const both = [ours, theirs];
  const sink: Contestant = { ...bare, name: "hash and write" };
  const pushes = [
    { name: "push, whole", pushes: [random], run: allAtOnce(pushWhole) },
    { name: "push, streamed", pushes: [random], run: allAtOnce(pushStreamed) },
    { name: "push of a layer", pushes: [layer], run: allAtOnce(pushStreamed) },
    { name: "push of 3 layers at once", pushes: layers, run: allAtOnce(pushStreamed) },
  ];
  for (const push of pushes) await compare({ ...push, bytes: sizeOf(push.pushes) }, [...both, sink]);
  for (const pushed of [[layer], layers]) await reportScans({ ...ours, bearer: plimsoll.bearer }, pushed);

  const blob = await changeBlob(random);
  for (const server of both) await pushWhole(server, blob);
  copyFileSync(random, join(scratch, "nginx", "files", "blob"));
  const files: Contestant = { ...nginx, name: "nginx" };
  const run = async (server: Contestant) => {
    const path = server === files ? "blob" : `v2/${repository}/blobs/${blob.digest}`;
    return (await curl({ ...server, method: "GET", url: `${server.address}/${path}` })).seconds;
  };
  await compare({ name: "pull", bytes: blobBytes, run }, [ours, files, theirs]);
  const peaks = [ours, theirs, files].map((each) => `${each.name} ${(usedBy(each).peakBytes / 1e6).toFixed(0)} MB`);
  console.log(`peak ${peaks.join(", ")}; load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** Runs a task with the contestants in turn and prints the medians; ratios are those of the first contestant. */
async function compare({ name, pushes = [], bytes, run }: Task, contestants: readonly Contestant[]): Promise<void> {
  const costs = new Map<Contestant, Cost[]>(contestants.map((each) => [each, []]));
  for (let round = 0; round <= rounds; round++) {
    const files = await changeBlobs(pushes);
    for (const server of contestants) {
      const before = usedBy(server).cpuSeconds;
      const seconds = await run(server, files);
      await atRest(server); // so that work after the response counts for this server and not for the next
      const cost = { megabytesPerSecond: bytes / seconds / 1e6, cpuSeconds: usedBy(server).cpuSeconds - before };
      if (round > 0) costs.get(server)?.push(cost); // the first one warms up
    }
    deleteBlobs(files);
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

/** Pushes images of these layers and prints the times from the first byte until blobs, manifest and scan are complete. */
async function reportScans(server: Contestant & Bearer, paths: readonly string[]): Promise<void> {
  const times: ScanTimes[] = [];
  for (let round = 0; round <= rounds; round++) {
    const files = await changeBlobs(paths);
    const layers = files.map(({ path, digest }) => ({ digest, size: statSync(path).size }));
    const push = () => allAtOnce(pushStreamed)(server, files);
    const time = await timeScan({ server, repository, layers, push });
    if (round > 0) times.push(time);
    await atRest(server);
    deleteBlobs(files);
  }
  const [blobs, manifest, scanned] = (["blobs", "manifest", "scanned"] as const).map((step) =>
    median(times.map(({ [step]: seconds }) => seconds)).toFixed(2),
  );
  const what = `image of ${paths.length} layer${paths.length === 1 ? "" : "s"}`;
  console.log(`${what.padEnd(26)} plimsoll         layers ${blobs} s, manifest ${manifest} s, scanned ${scanned} s`);
}

/** Sends files in parallel. @returns the seconds of the slowest */
function allAtOnce(push: (server: Contestant, file: PushedFile) => Promise<number>): Task["run"] {
  return async (server, files) => Math.max(...(await Promise.all(files.map((file) => push(server, file)))));
}

async function pushWhole(server: Contestant, { path, digest }: PushedFile): Promise<number> {
  const url = withDigest(await beginUpload(server), digest);
  return (await curl({ ...server, method: "PUT", url, file: path })).seconds;
}

/** Pushes as clients do that compress while they send. */
async function pushStreamed(server: Contestant, { path, digest }: PushedFile): Promise<number> {
  const sent = await curl({ ...server, method: "PATCH", url: await beginUpload(server), file: path, streamed: true });
  return sent.seconds + (await curl({ ...server, method: "PUT", url: withDigest(sent.location, digest) })).seconds;
}

async function beginUpload(server: Contestant): Promise<string> {
  const url = `${server.address}/v2/${repository}/blobs/uploads/`;
  return (await curl({ ...server, method: "POST", url })).location;
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

function sizeOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}

/** Changes files so that they are new blobs. The changed bytes are the time stamp in gzip files, whose content stays the same. */
async function changeBlobs(paths: readonly string[]): Promise<readonly PushedFile[]> {
  const changed: PushedFile[] = [];
  for (const path of paths) changed.push(await changeBlob(path));
  return changed;
}

async function changeBlob(path: string): Promise<PushedFile> {
  const file = openSync(path, "r+");
  writeSync(file, randomBytes(4), 0, 4, 4);
  closeSync(file);
  return { path, digest: await digestOf(path) };
}

/** Deletes the files of blobs from the storage of all servers; their names contain the digest. */
function deleteBlobs(pushed: readonly PushedFile[]): void {
  const names = pushed.map(({ digest }) => digest.slice(digest.indexOf(":") + 1));
  for (const storage of ["storage", "docker", "sink"].map((folder) => join(scratch, folder))) {
    for (const entry of readdirSync(storage, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && names.some((name) => path.includes(name))) rmSync(path);
    }
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk);
  return `sha256:${hash.digest("hex")}`;
}
