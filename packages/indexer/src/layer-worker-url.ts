/**
 * Where the program of the threads that read layers stands: beside this module, as source and in every bundle
 * (`tsup.config.ts` makes an entry of it). A program that is bundled together with this package has to put
 * `@plimsoll/indexer/layer-worker` beside its bundle as `layer-worker.js`.
 */
const isSource = import.meta.url.endsWith(".ts");

export const layerWorkerUrl = new URL(isSource ? "./layer-worker.ts" : "./layer-worker.js", import.meta.url);

/** What Node is told when it starts the program. */
export const layerWorkerOptions: readonly string[] = isSource ? ["--conditions=plimsoll-source"] : [];
