/**
 * Bundles the program of the threads that decompress into the module that `@plimsoll/indexer` starts them from:
 * `node scripts/build-inflate-worker.ts`. A test bundles it again and compares.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundleInflateWorker, renderWorkerModule } from "./lib/bundle-inflate-worker.ts";

const target = fileURLToPath(
  new URL("../packages/indexer/src/adapters/platform/inflate-worker.source.ts", import.meta.url),
);
const program = await bundleInflateWorker();
writeFileSync(target, renderWorkerModule(program));
console.log(`${target}: ${program.length} characters`);
