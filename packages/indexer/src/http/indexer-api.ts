import { bind, type DocumentApi, documentApi } from "@plimsoll/http";
import { scannerErrors, scannerErrorTrailer, scannerMediaTypes } from "@plimsoll/scanner-api";
import type { IndexService } from "../index-service.ts";
import { createIndexSlots } from "./index-slots.ts";
import { indexerOperations } from "./operations.ts";

export { createIndexSlots, type IndexSlots } from "./index-slots.ts";
export { type IndexerContext, indexerOperations } from "./operations.ts";

/** How the API presents itself. */
export interface IndexerApiOptions {
  /** The segment of media types that names who runs the service. `scanner` where absent. */
  readonly vendor?: string;
  /** Images that are indexed at the same time; what comes beyond is told to come again. 16 where absent. */
  readonly slots?: number;
  /** 16 MiB where absent. */
  readonly maxBodyBytes?: number;
}

const usualSlots = 16;
const retryAfterSeconds = 5;
const usualBodyBytes = 16 * 1024 * 1024;

/**
 * The scanner API of an indexer alone, for `registerApi` of `@plimsoll/http`. It has no admission of its own: add a hook for that.
 * @example
 * import fastify from "fastify";
 *
 * declare const indexer: IndexService;
 * const app = fastify();
 * app.register(async (scope) => registerApi(scope, indexerApi(indexer)));
 */
export function indexerApi(indexer: IndexService, options: IndexerApiOptions = {}): DocumentApi {
  const { vendor = "scanner", slots = usualSlots, maxBodyBytes = usualBodyBytes } = options;
  const operations = bind(indexerOperations, { indexer, slots: createIndexSlots(slots, retryAfterSeconds) });
  return documentApi(operations, {
    mediaTypes: scannerMediaTypes(vendor),
    errors: scannerErrors,
    errorTrailer: scannerErrorTrailer(vendor),
    maxBodyBytes,
    contentTypes: "checked",
  });
}
