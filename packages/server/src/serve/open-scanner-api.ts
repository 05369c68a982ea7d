import type { ServiceSettings } from "../config/service-settings.ts";
import { type Installation, openInstallation, type ServingParts } from "./open-installation.ts";

/** The scanner API with its opened database, for a server of the caller. Disposing stops its work. */
export type OpenedApi = Pick<Installation, "api" | "store"> & AsyncDisposable;

/**
 * Opens the database and the scanner's services of the settings.
 * @throws StoreError, UsageError
 * @example
 * import fastify from "fastify";
 * import { pino } from "pino";
 *
 * const app = fastify();
 * const settings = { ...defaultServiceSettings, database: "scanner.db" };
 * await using opened = await openScannerApi(settings, { logger: pino(), clock: { now: Date.now } });
 * app.register(async (scope) => registerApi(scope, opened.api));
 */
export function openScannerApi(settings: ServiceSettings, parts: ServingParts): Promise<OpenedApi> {
  const { registry: _, ...scanner } = settings;
  return openInstallation(scanner, parts, () => "");
}
