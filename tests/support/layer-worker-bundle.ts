/** Stands in tests for `packages/indexer/src/layer-worker-url.ts`: a thread of the bundle starts in a tenth of the time. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const layerWorkerUrl = pathToFileURL(join(process.env.PLIMSOLL_TEST_PROGRAMS ?? "", "layer-worker.js"));

/** The module of an engine is loaded from its sources. */
export const layerWorkerOptions = ["--conditions=plimsoll-source"];
