import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { allEcosystems, createEngine } from "@plimsoll/core";
import { addressGuard } from "@plimsoll/outbound";
import { systemTime } from "@plimsoll/store";
import { assembleIndexService, type IndexService } from "../index-service.ts";
import type { IndexServiceOptions } from "../index-service-options.ts";
import { openLayerFetcher } from "./fetch/layer-fetcher.ts";
import { openLayerPool } from "./pool/layer-pool.ts";

/** What an index service is made of: its database, and whatever is not to be as usual. */
export type GivenIndexServiceOptions = Pick<IndexServiceOptions, "store"> & Partial<IndexServiceOptions>;

/**
 * Creates an index service. What is not given is as usual: all ecosystems, layers from hosts of the public internet alone, read
 * in a thread per processor. Disposing of it stops its runs, and ends the threads and connections that were not given; another
 * node, or the next start, takes the runs over.
 * @example
 * import fastify from "fastify";
 *
 * const app = fastify();
 * const store = await openStore<IndexerTables>("index.db", { migrations: [indexerMigrations] });
 * await using indexer = createIndexService({ store });
 * app.register(async (scope) => registerApi(scope, indexerApi(indexer)));
 */
export function createIndexService(given: GivenIndexServiceOptions): IndexService {
  const { engine = createEngine({ ecosystems: allEcosystems }) } = given;
  const owned = new AsyncDisposableStack();
  const readers = given.readers ?? owned.use(openLayerPool({ engine }));
  const fetchLayer = given.fetchLayer ?? owned.use(openLayerFetcher({ guard: addressGuard([]) })).fetchLayer;
  const service = owned.use(
    assembleIndexService({
      clock: systemTime.clock,
      random: systemTime.random,
      sleep: (delayMs, signal) => delay(delayMs, undefined, signal === undefined ? {} : { signal }),
      layersAtOnce: availableParallelism(),
      ...given,
      engine,
      readers,
      fetchLayer,
    }),
  );
  return { ...service, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
