import { createReadStream } from "node:fs";
import { defaultLimits, readLayer } from "@plimsoll/core";
import { nodeDecompressors } from "../packages/indexer/src/adapters/platform/decompressors.ts";
import { nodeHasher } from "../packages/indexer/src/adapters/platform/hasher.ts";

const [file, digest, diffId] = process.argv.slice(2);
const t = performance.now();
const c0 = process.cpuUsage();
const c = await readLayer({
  open: () => createReadStream(file!, { highWaterMark: 262144 }) as any,
  reopens: true,
  expected: {
    ...(digest && digest !== "-" ? { digest: digest as any } : {}),
    ...(diffId ? { diffId: diffId as any } : {}),
  },
  wants: (f) =>
    f.path === "var/lib/dpkg/status" ||
    f.path.endsWith("os-release") ||
    (f.path.startsWith("var/lib/dpkg/info/") && f.path.endsWith(".md5sums")),
  decompressors: nodeDecompressors,
  createHasher: nodeHasher,
  limits: defaultLimits,
});
const cc = process.cpuUsage(c0);
console.log(
  c.entries,
  c.files.size,
  c.problems.length,
  (performance.now() - t).toFixed(0) + "ms",
  "cpu",
  ((cc.user + cc.system) / 1e3).toFixed(0),
  "maxrss",
  (process.resourceUsage().maxRSS / 1024).toFixed(0) + "MB",
);
