/**
 * Where the program of the threads that read layers stands: beside this module, as source and in every bundle
 * (`tsup.config.ts` makes an entry of it). A program that is bundled together with this package has to put
 * `@plimsoll/indexer/layer-worker` beside its bundle as `layer-worker.js`.
 */
export const layerWorkerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./layer-worker.ts" : "./layer-worker.js",
  import.meta.url,
);
