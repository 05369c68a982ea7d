/**
 * The address of the program of threads that read layers. It is beside this module, as source and in every bundle (`tsup.config.ts`
 * has an entry for it). A program that bundles this package must put `@plimsoll/indexer/layer-worker` beside its bundle as
 * `layer-worker.js`.
 */
const isSource = import.meta.url.endsWith(".ts");

export const layerWorkerUrl = new URL(isSource ? "./layer-worker.ts" : "./layer-worker.js", import.meta.url);

/** Node's options for the program. */
export const layerWorkerOptions: readonly string[] = isSource ? ["--conditions=plimsoll-source"] : [];
