import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { allEcosystems, createEngine } from "@plimsoll/core";
import { withoutUndefined } from "@plimsoll/core/internal";
import { addressGuard } from "@plimsoll/outbound";
import { systemTime } from "@plimsoll/store";
import { assembleIndexService, type IndexService } from "../index-service.ts";
import type { IndexServiceOptions } from "../index-service-options.ts";
import { openLayerFetcher } from "./fetch/layer-fetcher.ts";
import { openLayerPool } from "./pool/layer-pool.ts";

/** Options of {@link createIndexService}: the database is required, everything else has a default. */
export type GivenIndexServiceOptions = Pick<IndexServiceOptions, "store"> & Partial<IndexServiceOptions>;

/**
 * Creates an index service. Defaults: all ecosystems; layers only from hosts of the public internet; one reading thread for each
 * processor. Disposing of the service stops its runs, and ends the threads and connections that it has opened itself. Another node, or
 * the next start, takes the runs over.
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
      sleep: (delayMs, signal) => delay(delayMs, undefined, { signal }),
      layersAtOnce: availableParallelism(),
      ...withoutUndefined(given),
      engine,
      readers,
      fetchLayer,
    }),
  );
  return { ...service, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
