import { type DocumentApi, traceOperations } from "@plimsoll/http";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { UsageError } from "../cli/exit-code.ts";
import { resolveServiceSettings } from "../config/resolve-service-settings.ts";
import type { GivenSettings } from "../config/settings.ts";
import { type Installation, openInstallation, type ServingParts } from "../serve/open-installation.ts";

export type { GivenSettings } from "../config/settings.ts";
export type { ServingParts } from "../serve/open-installation.ts";

/** The data folder of an embedded registry, and what differs from `plimsoll serve`. */
export interface EmbedOptions extends Partial<ServingParts> {
  /** A folder for the database, the blobs and the key; created if it is missing. */
  readonly data: string;
  /** Settings by their names in `docs/reference/configuration.md`; with `{ offline: true }` feeds are never updated. */
  readonly settings?: GivenSettings;
}

/** A registry that scans pushed images, with its background work. Close the application before disposing it. */
export interface EmbeddedPlimsoll extends AsyncDisposable {
  /** Serves the registry on an application: `/v2`, `/api/v1`, `/keys` and the pages that browsers open. */
  register(app: FastifyInstance): void;
  /** The scanner API, for `registerApi` of `@plimsoll/http`. It has no authentication: add your own. */
  readonly api: DocumentApi;
  readonly store: Installation["store"];
}

/**
 * Opens the registry and the scanner for a Fastify application of your own. Images are read while they are pushed.
 * @example
 * import fastify from "fastify";
 *
 * const app = fastify();
 * await using plimsoll = await openPlimsoll({ data: "data" });
 * plimsoll.register(app);
 * await app.listen({ port: 5000 });
 * @throws StoreError, UsageError
 */
export async function openPlimsoll(options: EmbedOptions): Promise<EmbeddedPlimsoll> {
  const { data, settings } = options;
  const { logger = pino({ level: "silent" }), clock = Date, engine, tracer } = options;
  const all = resolveServiceSettings({}, { ...settings, data }, { env: {} });
  if (all.traces !== undefined) throw new UsageError("tracesEndpoint: expected `tracer` among the options instead");
  const parts = { logger, clock, engine, tracer };
  const installation = await openInstallation(all, parts, () => "localhost");
  const { registry, api, store } = installation;
  if (registry === undefined) {
    await installation[Symbol.asyncDispose]();
    throw new UsageError(`mode: expected all or registry, found ${all.modes.join(", ")}`);
  }
  return {
    register(app) {
      if (tracer !== undefined) traceOperations(app, tracer);
      registry.register(app);
    },
    api,
    store,
    [Symbol.asyncDispose]: () => installation[Symbol.asyncDispose](),
  };
}
