/**
 * Indexes an image archive. For comparison: programs that only decompress and list the same layers.
 *
 *     npm run build && node --conditions=plimsoll-source benchmarks/index-image.ts IMAGE.tar
 *
 * IMAGE.tar is an OCI archive; without one, `debian-bookworm-web.tar` in the folder that PLIMSOLL_TEST_IMAGES names. Each
 * contestant is a new process in every round; Plimsoll is the published command, once with an empty database and once with one that
 * knows the layers. "inflate and hash" is the unavoidable part of compressed layers, with Plimsoll's decoder in one thread, "hash and walk" that of
 * others. Syft and
 * Trivy are the programs that PLIMSOLL_TEST_SYFT and PLIMSOLL_TEST_TRIVY name; they list packages too, Trivy with an empty cache. The
 * script in Syft's wheel runs if PYTHONPATH names the folder of the unpacked wheel. A contestant that fails ends the run.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Contestant, type Cost, hasProgram, interleave, measure, median, medianRatio } from "./lib/measure.ts";

const rounds = 7;
const image = process.argv[2] ?? join(process.env.PLIMSOLL_TEST_IMAGES ?? "", "debian-bookworm-web.tar");
const command = join(import.meta.dirname, "..", "packages", "server", "dist", "plimsoll.js");
const inflater = join(import.meta.dirname, "lib", "inflate-process.ts");
const walker = join(import.meta.dirname, "lib", "hash-and-walk-process.ts");
const syft = process.env.PLIMSOLL_TEST_SYFT ?? "";
const trivy = process.env.PLIMSOLL_TEST_TRIVY ?? "";
const references = ["igzip | tar", "tar", "syft", "trivy"];
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

try {
  if (!existsSync(image)) throw new Error(`no image ${image}: name an OCI archive`);
  if (!existsSync(command)) throw new Error(`no ${command}: run npm run build`);
  const costs = interleave(contestants(unpackLayers()), rounds);
  for (const [name, each] of costs) console.log(line(name, each, costs));
} finally {
  rmSync(scratch, { recursive: true });
}

/** A layer of the image. */
interface Layer {
  readonly file: string;
  readonly isCompressed: boolean;
}

/** Extracts the image, and its layers as files, base first. */
function unpackLayers(): readonly Layer[] {
  measure(`tar xf '${image}' -C '${scratch}'`);
  const blob = (digest: string) => join(scratch, "blobs", digest.replace(":", "/"));
  const index = JSON.parse(readFileSync(join(scratch, "index.json"), "utf8"));
  const manifest = JSON.parse(readFileSync(blob(index.manifests[0].digest), "utf8"));
  return manifest.layers.map(({ digest }: { readonly digest: string }) => {
    const file = blob(digest);
    return { file, isCompressed: isGzip(file) };
  });
}

/** By the content: some programs write the media type of gzip for every layer. */
function isGzip(file: string): boolean {
  const head = new Uint8Array(2);
  const descriptor = openSync(file, "r");
  readSync(descriptor, head);
  closeSync(descriptor);
  return head[0] === 0x1f && head[1] === 0x8b;
}

function contestants(layers: readonly Layer[]): Contestant[] {
  const withPeak = (program: string) =>
    `/usr/bin/time -f %M -o '${scratch}/peak' ${program} > /dev/null && cat '${scratch}/peak'`;
  const run = (db: string) =>
    withPeak(`'${process.execPath}' '${command}' index 'oci-archive:${image}' --db '${db}' -o json`);
  const files = layers.map(({ file }) => `'${file}'`).join(" ");
  const unpacked = [
    { name: "tar", command: `for layer in ${files}; do tar tf "$layer" > /dev/null; done` },
    { name: "hash and walk", command: withPeak(`'${process.execPath}' '${walker}' ${files}`) },
  ];
  const inflated = [
    ...["igzip", "gzip"].filter(isInstalled).map((tool) => ({
      name: `${tool} | tar`,
      command: `for layer in ${files}; do ${tool} -dc "$layer" | tar tf - > /dev/null; done`,
    })),
    { name: "inflate and hash", command: withPeak(`'${process.execPath}' '${inflater}' ${files}`) },
  ];
  return [
    { name: "plimsoll index", command: `rm -f '${scratch}/new.db'*; ${run(`${scratch}/new.db`)}` },
    { name: "plimsoll index, known layers", command: run(`${scratch}/known.db`) },
    ...(layers.every(({ isCompressed }) => isCompressed) ? inflated : unpacked),
    ...others().map(({ name, program }) => ({ name, command: withPeak(program) })),
  ];
}

/** The other scanners that are there. */
function others(): readonly { readonly name: string; readonly program: string }[] {
  const asSyft = `env SYFT_CHECK_FOR_APP_UPDATE=false '${syft}' scan -q -o syft-json 'oci-archive:${image}'`;
  return [
    ...(syft === "" ? [] : [{ name: "syft", program: asSyft }]),
    ...(trivy === "" ? [] : [{ name: "trivy", program: asTrivy(`${scratch}/trivy`) }]),
  ];
}

/** Trivy with an empty cache. Without an index of Java archives it does not read images that have some. */
function asTrivy(cache: string): string {
  mkdirSync(`${cache}/java-db`, { recursive: true });
  const index = new DatabaseSync(`${cache}/java-db/trivy-java.db`);
  index.exec(`create table artifacts (id integer primary key, group_id text, artifact_id text);
    create table indices (artifact_id integer, version text, sha1 blob, archive_type text)`);
  index.close();
  const far = new Date(Date.now() + 365 * 86_400_000);
  const dates = { NextUpdate: far, UpdatedAt: new Date(), DownloadedAt: new Date() };
  writeFileSync(`${cache}/java-db/metadata.json`, JSON.stringify({ Version: 1, ...dates }));
  const options = "--quiet --disable-telemetry --skip-version-check --skip-java-db-update --format cyclonedx";
  return `bash -c "rm -rf '${cache}/fanal'; exec '${trivy}' image ${options} --cache-dir '${cache}' --input '${scratch}'"`;
}

function isInstalled(tool: string): boolean {
  if (hasProgram(tool)) return true;
  console.log(`${tool} is not installed: skipped`);
  return false;
}

function line(name: string, costs: readonly Cost[], all: ReadonlyMap<string, readonly Cost[]>): string {
  const wall = median(costs.map((cost) => cost.wallSeconds));
  const cpu = median(costs.map((cost) => cost.cpuSeconds));
  const peaks = costs.flatMap(({ output }) => (output.trim() === "" ? [] : [Number(output) / 1000]));
  const peak = peaks.length === 0 ? "" : `  peak ${Math.max(...peaks).toFixed(0)} MB`;
  return `${name.padEnd(30)} ${wall.toFixed(2)} s wall  ${cpu.toFixed(2)} s cpu${peak}${ratios(name, costs, all)}`;
}

function ratios(name: string, costs: readonly Cost[], all: ReadonlyMap<string, readonly Cost[]>): string {
  if (references.includes(name)) return "";
  const texts = references.flatMap((other) => {
    const reference = all.get(other);
    if (reference === undefined) return [];
    const wall = medianRatio(costs, reference, (cost) => cost.wallSeconds);
    const cpu = medianRatio(costs, reference, (cost) => cost.cpuSeconds);
    return [`  ${wall.toFixed(2)} of ${other} wall, ${cpu.toFixed(2)} cpu`];
  });
  return texts.join("");
}
