import type { Engine } from "@plimsoll/core";
import type { Api } from "@plimsoll/http";
import { indexerMigrations } from "@plimsoll/indexer";
import { matcherMigrations } from "@plimsoll/matcher";
import { notifierMigrations } from "@plimsoll/notifier";
import { openStore } from "@plimsoll/store";
import type { Logger } from "pino";
import type { ServiceSettings } from "../config/service-settings.ts";
import { openServices, type ScannerStore, type ScannerTables } from "./open-services.ts";
import { scannerApi } from "./scanner-api.ts";

/** What a service is opened with besides its settings. */
export interface ServingParts {
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** What is looked for and matched; everything there is where absent. */
  readonly engine?: Engine;
}

/** The scanner API at work on its database, to be served by whoever opened it. Disposing stops its work. */
export interface OpenedApi extends AsyncDisposable {
  /** For `registerApi` of `@plimsoll/http`. */
  readonly api: Api;
  readonly store: ScannerStore;
}

/** Opens the database and the services of the settings. @throws StoreError, UsageError */
export async function openScannerApi(settings: ServiceSettings, parts: ServingParts): Promise<OpenedApi> {
  await using resources = new AsyncDisposableStack();
  const migrations = [indexerMigrations, matcherMigrations, notifierMigrations];
  const store = resources.use(await openStore<ScannerTables>(settings.database, { migrations }));
  const services = await openServices({ settings, store, ...parts }, resources);
  const owned = resources.move();
  return {
    api: scannerApi(services, settings),
    store,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
