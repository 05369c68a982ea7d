/**
 * The speed of reading a layer. For comparison: programs that only decompress and list it.
 *
 *     node --conditions=plimsoll-source benchmarks/layer-throughput.ts [LAYER.tar.gz…]
 *
 * Without arguments a layer is generated. Every contestant is a new process in each round; Plimsoll's time includes the start of Node
 * and checking the digest and, in one of the rows, the diff id as well. The figures are medians of the rounds; a ratio below 1 means
 * that Plimsoll needs less than the reference.
 */
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createGunzip } from "node:zlib";
import { build } from "tsup";
import { type Contestant, type Cost, hasProgram, interleave, median, medianRatio } from "./lib/measure.ts";
import { writeSyntheticLayer } from "./lib/synthetic-layer.ts";

const rounds = 7;
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

try {
  const layers = process.argv.slice(2);
  if (layers.length === 0) layers.push(await makeLayer());
  const program = await bundleProgram();
  for (const layer of layers) report(layer, await contestantsFor(layer, program));
} finally {
  rmSync(scratch, { recursive: true });
}

async function makeLayer(): Promise<string> {
  const layer = join(scratch, "synthetic.tar.gz");
  await writeSyntheticLayer(layer);
  return layer;
}

/** Bundles the program to JavaScript, as it is published, so that no types have to be stripped when it starts. */
async function bundleProgram(): Promise<string> {
  await build({
    entry: ["benchmarks/lib/read-layer-process.ts"],
    outDir: scratch,
    outExtension: () => ({ js: ".mjs" }),
    format: "esm",
    config: false,
    silent: true,
    noExternal: [/^@plimsoll\//],
    esbuildOptions(options) {
      options.conditions = ["plimsoll-source"];
    },
  });
  return join(scratch, "read-layer-process.mjs");
}

async function contestantsFor(layer: string, program: string): Promise<Contestant[]> {
  const digest = `sha256:${await sha256(createReadStream(layer))}`;
  const diffId = `sha256:${await sha256(createReadStream(layer).pipe(createGunzip()))}`;
  const ours = `'${process.execPath}' '${program}' '${layer}' ${digest}`;
  return [
    { name: "plimsoll, digest and diff id", command: `${ours} ${diffId}` },
    { name: "plimsoll, digest", command: ours },
    ...["igzip", "gzip"].flatMap((tool) => referenceFor(tool, layer)),
  ];
}

function referenceFor(tool: string, layer: string): Contestant[] {
  if (!hasProgram(tool)) {
    console.log(`${tool} is not installed: skipped`);
    return [];
  }
  return [{ name: `${tool} | tar`, command: `${tool} -dc '${layer}' | tar tf - > /dev/null` }];
}

async function sha256(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of source) hash.update(chunk);
  return hash.digest("hex");
}

function report(layer: string, contestants: readonly Contestant[]): void {
  const all = interleave(contestants, rounds);
  console.log(`\n${basename(layer)}, ${megabytes(statSync(layer).size)} compressed, medians of ${rounds} rounds`);
  for (const [name, costs] of all) {
    const peaks = costs.flatMap(({ output }) => (output === "" ? [] : [Number(JSON.parse(output).peakBytes)]));
    const isOurs = peaks.length > 0;
    const references = [...all].filter(([other]) => isOurs && other.endsWith("| tar"));
    const figures = [
      seconds(median(costs.map((cost) => cost.wallSeconds)), "wall"),
      seconds(median(costs.map((cost) => cost.cpuSeconds)), "cpu"),
      ...(isOurs ? [`peak ${megabytes(Math.max(...peaks))}`] : []),
      ...references.map(([reference, other]) => ratio(reference, costs, other)),
    ];
    console.log([name.padEnd(30), ...figures].join("  "));
  }
}

function ratio(reference: string, ours: readonly Cost[], other: readonly Cost[]): string {
  const wall = medianRatio(ours, other, (cost) => cost.wallSeconds);
  const cpu = medianRatio(ours, other, (cost) => cost.cpuSeconds);
  return `${wall.toFixed(2)} of ${reference} wall, ${cpu.toFixed(2)} cpu`;
}

function seconds(value: number, unit: string): string {
  return `${value.toFixed(3)} s ${unit}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
