/**
 * The peak memory of reading a large document of a feed up to its advisories, without a database, and the limit of 256 MB. The document
 * is an argument: 100 MB or more, compressed or not. It runs the packages that `npm run build` made, as users do; with sources, the
 * memory of the TypeScript compiler would be included.
 *
 *     node benchmarks/feed-readers.ts UPDATER FILE
 */
import { allUpdaters } from "@plimsoll/core";
import { createFeedReader } from "@plimsoll/matcher";
import { keepHeapSmall } from "../packages/server/src/keep-heap-small.ts";

const promisedMegabytes = 256;
const [name, location = ""] = process.argv.slice(2);
const updater = allUpdaters.find((each) => each.name === name);
if (updater === undefined) throw new Error(`expected one of ${allUpdaters.map((each) => each.name).join(", ")}`);

keepHeapSmall(); // as the command does
const peakMegabytes = () => ((process.resourceUsage().maxRSS * 1024) / 1e6).toFixed(0);
const atStart = peakMegabytes();
await using reader = createFeedReader({ location });
const result = await updater.update(reader, undefined);
if (result.kind !== "snapshot") throw new Error(`expected a snapshot of the feed, found ${result.kind}`);
const counts = { item: 0, problem: 0, record: 0 };
for await (const { kind } of result.items) counts[kind]++;
const { user, system } = process.cpuUsage();
console.log(
  `${name}: ${counts.item} advisories, ${counts.problem} problems, peak ${peakMegabytes()} MB (asked: ${promisedMegabytes} MB; ${atStart} MB at the start), ` +
    `${((user + system) / 1e6).toFixed(1)} s of CPU`,
);
