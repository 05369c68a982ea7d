import { allEcosystems, createEngine, type Engine } from "@plimsoll/core";
import type { Api } from "@plimsoll/http";
import { indexerMigrations, storedLayers } from "@plimsoll/indexer";
import { matcherMigrations } from "@plimsoll/matcher";
import { notifierMigrations } from "@plimsoll/notifier";
import { type OpenedRegistry, type RegistryTables, registryMigrations } from "@plimsoll/registry-api";
import { openStore, type Store, startJobWorker, systemTime } from "@plimsoll/store";
import type { Logger } from "pino";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { readPushedLayers } from "../registry/layer-observer.ts";
import { openRegistry } from "../registry/open-registry.ts";
import { openServices, type ScannerTables } from "./open-services.ts";
import { scannerApi } from "./scanner-api.ts";

/** What a service is opened with besides its settings. */
export interface ServingParts {
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** What is looked for and matched; everything there is where absent. */
  readonly engine?: Engine;
}

/** The database of all services. */
export type InstallationStore = Store<ScannerTables & RegistryTables>;

/** What one process does for an installation. Disposing stops its work. */
export interface Installation extends AsyncDisposable {
  /** The scanner API, for `registerApi` of `@plimsoll/http`. */
  readonly api: Api;
  /** Absent where the process serves no registry. */
  readonly registry?: OpenedRegistry;
  readonly store: InstallationStore;
}

/**
 * Opens the database and whatever the settings say that this process is to be.
 * @param listensAt where the process listens, once it does: `HOST:PORT`
 * @throws StoreError, UsageError
 */
export async function openInstallation(
  settings: ServiceSettings,
  given: ServingParts,
  listensAt: () => string,
): Promise<Installation> {
  await using resources = new AsyncDisposableStack();
  const { engine = createEngine({ ecosystems: allEcosystems, limits: settings.limits }) } = given;
  const parts = { ...given, engine };
  const migrations = [indexerMigrations, matcherMigrations, notifierMigrations, registryMigrations];
  const store: InstallationStore = resources.use(await openStore(settings.database, { migrations }));
  const services = await openServices({ settings, store, ...parts }, resources);
  const registry = await openRegistryPart({ settings, store, ...parts }, listensAt, resources);
  const owned = resources.move();
  return {
    api: scannerApi(services, settings),
    ...(registry && hasMode(settings, "registry") && { registry }),
    store,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface RegistryProcess extends Required<ServingParts> {
  readonly settings: ServiceSettings;
  readonly store: InstallationStore;
}

/** The registry serves requests, does its background work, or both. */
async function openRegistryPart(
  { settings, store, logger, clock, engine }: RegistryProcess,
  listensAt: () => string,
  resources: AsyncDisposableStack,
): Promise<OpenedRegistry | undefined> {
  const isWorker = hasMode(settings, "worker");
  if (settings.registry === undefined || !(isWorker || hasMode(settings, "registry"))) return undefined;
  const pushed = readPushedLayers(engine, storedLayers(store, clock.now));
  const parts = { store, registry: settings.registry, logger, clock, listensAt, pushed };
  const registry = await openRegistry(parts, resources);
  if (!isWorker) return registry;
  await registry.schedule();
  const onTrouble = (err: unknown) => logger.error({ err }, "jobs_failed");
  const worker = startJobWorker({ store, handlers: registry.handlers, ...systemTime, onTrouble });
  resources.defer(() => worker.stop());
  return registry;
}
