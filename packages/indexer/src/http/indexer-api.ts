import { bind, type DocumentApi, documentApi } from "@plimsoll/http";
import { scannerErrors, scannerErrorTrailer, scannerMediaTypes } from "@plimsoll/scanner-api";
import { turnOfBody } from "@plimsoll/store";
import type { IndexService } from "../index-service.ts";
import { createIndexSlots } from "./index-slots.ts";
import { indexerOperations } from "./operations.ts";

export { createIndexSlots, type IndexSlots } from "./index-slots.ts";
export { type IndexerContext, indexerOperations } from "./operations.ts";

/** Options of {@link indexerApi}. */
export interface IndexerApiOptions {
  /** The vendor segment of media types. Default: `scanner`. */
  readonly vendor?: string;
  /** Images that are indexed at the same time; further requests get 429 with `Retry-After`. Default: 16. */
  readonly slots?: number;
  /** Default: 16 MiB. */
  readonly maxBodyBytes?: number;
}

const defaultSlots = 16;
const retryAfterSeconds = 5;
const defaultMaxBodyBytes = 16 * 1024 * 1024;

/**
 * The scanner API of an indexer alone, for `registerApi` of `@plimsoll/http`. It does not authenticate clients: add a hook for that.
 * @example
 * import fastify from "fastify";
 *
 * declare const indexer: IndexService;
 * const app = fastify();
 * app.register(async (scope) => registerApi(scope, indexerApi(indexer)));
 */
export function indexerApi(indexer: IndexService, options: IndexerApiOptions = {}): DocumentApi {
  const { vendor = "scanner", slots = defaultSlots, maxBodyBytes = defaultMaxBodyBytes } = options;
  const operations = bind(indexerOperations, { indexer, slots: createIndexSlots(slots, retryAfterSeconds) });
  return documentApi(operations, {
    mediaTypes: scannerMediaTypes(vendor),
    errors: scannerErrors,
    errorTrailer: scannerErrorTrailer(vendor),
    maxBodyBytes,
    turnOfBody,
    contentTypes: "checked",
  });
}
