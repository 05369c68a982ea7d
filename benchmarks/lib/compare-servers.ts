import { request } from "undici";
import { type Asked, countAnswers, type Load } from "./load.ts";
import { median } from "./measure.ts";
import type { Serving } from "./serving.ts";

/** Two servers that get the same requests in turn: Plimsoll, and a bare one that sends the same responses. */
export interface Servers {
  readonly ours: Serving;
  readonly bare: Serving;
}

/** The cost of one kind of request with Plimsoll and with the bare server. */
export interface Compared {
  readonly perSecond: number;
  readonly barePerSecond: number;
  readonly cpuMicroseconds: number;
  readonly bareCpuMicroseconds: number;
  /** Plimsoll's rate divided by the bare server's. */
  readonly rateRatio: number;
  /** The bare server's CPU time per request divided by Plimsoll's, which other load on the machine affects less. */
  readonly cpuRatio: number;
}

/** Not counted, because much of this time goes into compiling frequently executed code, which a server does once. */
const warmUpSeconds = 4;

/** Loads both servers in many short turns, so that other load on the machine affects both. */
export async function compareServers({ ours, bare }: Servers, load: Load, rounds: number): Promise<Compared> {
  await copyAnswer(ours, bare, load.asked);
  for (const server of [ours, bare]) await measure(server, { ...load, seconds: warmUpSeconds });
  const turns: { readonly mine: Measured; readonly theirs: Measured }[] = [];
  for (let round = 0; round < rounds; round++) {
    turns.push({ mine: await measure(ours, load), theirs: await measure(bare, load) });
  }
  const cpuMicroseconds = quietest(turns.map(({ mine }) => mine.cpuMicroseconds));
  const bareCpuMicroseconds = quietest(turns.map(({ theirs }) => theirs.cpuMicroseconds));
  return {
    perSecond: median(turns.map(({ mine }) => mine.perSecond)),
    barePerSecond: median(turns.map(({ theirs }) => theirs.perSecond)),
    rateRatio: median(turns.map(({ mine, theirs }) => mine.perSecond / theirs.perSecond)),
    cpuMicroseconds,
    bareCpuMicroseconds,
    cpuRatio: bareCpuMicroseconds / cpuMicroseconds,
  };
}

/** Formats a comparison as a line of text. */
export function comparisonLine(name: string, compared: Compared): string {
  const { perSecond, barePerSecond, rateRatio, cpuMicroseconds, bareCpuMicroseconds, cpuRatio } = compared;
  const rates = `${perSecond.toFixed(0)}/s, bare ${barePerSecond.toFixed(0)}/s, ratio ${rateRatio.toFixed(2)}`;
  const cpu = `CPU ${cpuMicroseconds.toFixed(0)} µs, bare ${bareCpuMicroseconds.toFixed(0)} µs, ratio ${cpuRatio.toFixed(2)}`;
  return `${name.padEnd(34)} ${rates.padEnd(44)} ${cpu}`;
}

interface Measured {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

async function measure(server: Serving, load: Load): Promise<Measured> {
  const before = await server.tell({});
  const startedAt = performance.now();
  const count = await countAnswers(server.address, load);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await server.tell({});
  return { perSecond: count / seconds, cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / count };
}

/** The lower quartile of the rounds, because other programs can only increase the CPU time of a request. */
function quietest(costs: readonly number[]): number {
  return costs.toSorted((a, b) => a - b)[costs.length >> 2] ?? 0;
}

/** Headers that Node adds on its own. */
const ownHeaders: ReadonlySet<string> = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

async function copyAnswer(from: Serving, to: Serving, { path, ...options }: Asked): Promise<void> {
  const { statusCode, headers, body } = await request(`${from.address}${path}`, options);
  const pairs = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  const list = pairs.flatMap(([name, value]) => [value ?? []].flat().flatMap((each) => [name, each]));
  await to.tell({ answer: { status: statusCode, headers: list, body: await body.text() } });
}
