/** Runs every benchmark whose programs and files are installed: npm run build && npm run bench */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "../scripts/test-in-browser.ts";

const image = join(process.env.PLIMSOLL_TEST_IMAGES ?? "", "debian-bookworm-web.tar");
const programs = [
  "layer-throughput.ts",
  "feed-import.ts",
  "feed-update.ts",
  "match.ts",
  "rematch.ts",
  "service-requests.ts",
  "service-reports.ts",
  "registry-requests.ts",
  "registry-blobs.ts",
  "prune.ts",
  "registry-tags.ts",
  "mirror.ts",
  "deliveries.ts",
  "mixed-clients.ts",
  "jobs.ts",
  "durable-commits.ts",
  "large-report.ts",
  "slow-layers.ts",
  "costly-requests.ts",
  "unread-responses.ts",
  "crowded-sign-ins.ts",
  ...(findChromium() === undefined ? [] : ["console-paint.ts"]),
  ...(existsSync(image) ? ["index-image.ts"] : []),
];

for (const program of programs) {
  console.log(`\n# ${program}`);
  const { status } = spawnSync(process.execPath, [...process.execArgv, join(import.meta.dirname, program)], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
if (!existsSync(image)) console.log("\nindex-image.ts needs PLIMSOLL_TEST_IMAGES: skipped");
