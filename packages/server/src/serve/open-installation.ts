import type { Tracer } from "@opentelemetry/api";
import { allEcosystems, createEngine, type Engine } from "@plimsoll/core";
import type { DocumentApi } from "@plimsoll/http";
import {
  checkDatabase,
  type ImageReaders,
  type IndexService,
  indexerMigrations,
  listEcosystems,
  openJavaIndex,
  openLayerPool,
  storedLayers,
} from "@plimsoll/indexer";
import { findAliases, listFailedUpdates, matcherMigrations } from "@plimsoll/matcher";
import { notifierMigrations } from "@plimsoll/notifier";
import { type ImageScanner, type RegistryTables, registryMigrations } from "@plimsoll/registry";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import { onJobEvent, type Store } from "@plimsoll/store";
import type { Logger } from "pino";
import type { Output } from "../cli/io.ts";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { Dependency } from "../health/readiness.ts";
import type { ProcessFigures } from "../metrics/process-figures.ts";
import { createWorkFigures, type WorkFigures } from "../metrics/work-figures.ts";
import { type IndexSource, imageScanner, localReports, sharedIndexer } from "../registry/image-scanner.ts";
import { createLargeImages } from "../registry/large-images.ts";
import { layerObserver } from "../registry/layer-observer.ts";
import { openRegistry, openRegistryStorage, type RegistryStorage } from "../registry/open-registry.ts";
import { dependenciesOf } from "./dependencies.ts";
import { openDatabase, unlessOutage, type WritesRefused } from "./open-database.ts";
import { findRemote, openServices } from "./open-services.ts";
import { watchOutage } from "./outages.ts";
import { remoteAffected } from "./remote-affected.ts";
import { remoteIndexer, remoteReports, remoteUpdates } from "./remote-services.ts";
import { repeat } from "./repeat.ts";
import { noteUnjudged } from "./reported-coverage.ts";
import { scannerApi } from "./scanner-api.ts";
import type { ScannerServices } from "./scanner-face.ts";
import type { Outages, ScannerTables } from "./service-parts.ts";
import { logJobs, startJobs } from "./start-jobs.ts";
import { neededFeeds } from "./updating.ts";
import { openImageWatch, type WatchingOptions } from "./watch-images.ts";
import { watchedIndexer, watchedReports } from "./watched-ports.ts";

/** Options of a service besides its settings. */
export interface ServingParts {
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** The detectors, matchers and enrichers to use; by default all. */
  readonly engine?: Engine;
  /** The output of the access log; without it, there is no access log. */
  readonly accessOutput?: Pick<Output, "write">;
  /** Records metrics of background work; without it, they are not readable. */
  readonly figures?: WorkFigures;
  /** Starts spans for requests and for attempts of jobs; without it, nothing is traced. */
  readonly tracer?: Tracer;
  /** Records metrics of the process as a whole; without it, they start at 0. */
  readonly processFigures?: ProcessFigures;
  /** Called if the service cannot go on, for example because it lost its port, or its database is damaged: dispose it, and start it anew. */
  readonly onFailure?: (error: Error) => void;
  /** Ends the wait for the database at the start; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** The database of all services. */
export type InstallationStore = Store<ScannerTables & RegistryTables>;

/** How often the database updates the statistics of its query planner. */
const optimizePeriodMs = 3_600_000;

/** The opened services of one process. Disposing stops their work. */
export interface Installation extends AsyncDisposable {
  /** The scanner API, for `registerApi` of `@plimsoll/http`. */
  readonly api: DocumentApi;
  /** Absent if the process serves no registry. */
  readonly registry?: OpenedRegistry;
  readonly store: InstallationStore;
  /** The dependencies for the readiness check. */
  readonly dependencies: readonly Dependency[];
  /** Names of the feeds that should be loaded: those of the settings, or those that images need. */
  readonly feeds: () => Promise<readonly string[]>;
}

/**
 * Opens the database and the services that the settings select for this process.
 * @param listensAt returns where the process listens, once it does: `HOST:PORT`
 * @throws StoreError, UsageError, or the reason of `signal`
 */
export async function openInstallation(
  settings: ServiceSettings,
  given: ServingParts,
  listensAt: () => string,
): Promise<Installation> {
  await using resources = new AsyncDisposableStack();
  const engine = given.engine ?? openEngine(settings, resources);
  const { figures = createWorkFigures() } = given;
  const { layerThreads, layerCpuSeconds, layerHeapMegabytes } = settings;
  const budget = { layerCpuSeconds, layerHeapMegabytes };
  const readers = resources.use(openLayerPool({ engine, budget, maxThreads: layerThreads, inBackground: true }));
  const outages = watchOutages(given.logger, settings);
  const hasOwnEngine = given.engine !== undefined;
  const parts = { ...given, engine, readers, settings, outages, figures, hasOwnEngine };
  const migrations = [indexerMigrations, matcherMigrations, notifierMigrations, registryMigrations];
  const writes: WritesRefused = {};
  const store: InstallationStore = resources.use(
    await openDatabase(settings, {
      migrations,
      logger: given.logger,
      writes,
      signal: given.signal,
      onDamaged: given.onFailure,
    }),
  );
  for (const listener of [logJobs(given.logger), figures.noteJob]) resources.defer(onJobEvent(store, listener));
  const onError = unlessOutage((err) => given.logger.error({ err }, "statistics_failed"));
  resources.use(repeat({ everyMs: optimizePeriodMs, act: () => store.optimize(), onError }));
  const storage = settings.registry && (await openRegistryStorage(settings.registry, { store, outages }));
  const services = await openServices({ ...parts, store, layers: storage?.layers }, resources);
  const registry = storage && (await openRegistryPart({ ...parts, ...storage, store, services, listensAt }, resources));
  const blobs = hasMode(settings, "registry") ? storage?.blobs : undefined;
  const owned = resources.move();
  return {
    dependencies: dependenciesOf({
      settings,
      checkDatabase: () => checkDatabase(store),
      writes,
      blobs,
      outages,
      clock: given.clock,
    }),
    feeds: () => expectedFeeds(parts, store),
    api: scannerApi(services, { ...settings, onUnjudged: noteUnjudged(given.logger) }),
    registry: registry && hasMode(settings, "registry") ? registry : undefined,
    store,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The engine of all ecosystems, with the Java index of the settings, which stays open until `resources` is disposed. */
function openEngine({ limits, javaIndex }: ServiceSettings, resources: AsyncDisposableStack): Engine {
  const java = javaIndex === undefined ? undefined : resources.use(openJavaIndex(javaIndex));
  return createEngine({ ecosystems: allEcosystems, limits, lookups: java ? { java } : {} });
}

/** Names of the feeds that should be loaded: those of the settings, or those that images need. */
async function expectedFeeds(
  { settings, engine }: Pick<RegistryProcess, "settings" | "engine">,
  store: InstallationStore,
): Promise<readonly string[]> {
  return settings.updaters ?? neededFeeds(engine, store, await listEcosystems(store));
}

interface RegistryProcess
  extends Required<Pick<ServingParts, "logger" | "clock" | "engine" | "figures">>,
    RegistryStorage {
  readonly tracer?: Tracer;
  readonly settings: ServiceSettings;
  readonly store: InstallationStore;
  readonly services: ScannerServices;
  readonly readers: ImageReaders;
  readonly outages: Outages;
  readonly listensAt: () => string;
  /** Whether the program that embeds the process made the engine: other threads cannot use it. */
  readonly hasOwnEngine: boolean;
}

/** Opens the registry if this process serves it or does its background work. A read-only registry has no background work. */
async function openRegistryPart(
  parts: RegistryProcess,
  resources: AsyncDisposableStack,
): Promise<OpenedRegistry | undefined> {
  const { settings, store, engine, readers, clock, logger, tracer } = parts;
  const isWorker = hasMode(settings, "worker");
  if (settings.registry === undefined || !(isWorker || hasMode(settings, "registry"))) return undefined;
  const observer = layerObserver({
    readLayer: readers.readLayer,
    layersAtOnce: Math.max(1, Math.floor(settings.layerThreads / 2)),
    cache: storedLayers(store, clock.now),
    engineState: engine.state,
  });
  const scanner = scannerOf(parts);
  if (scanner === undefined && settings.registry.settings.features.securityScanner)
    logger.warn(missingScanner(settings), "images_are_not_scanned");
  const registry = await openRegistry(
    {
      ...{ ...parts, registry: settings.registry, observer },
      scanner,
      largeImages: parts.hasOwnEngine ? undefined : createLargeImages(settings),
    },
    resources,
  );
  if (!isWorker || settings.registry.settings.readOnly) return registry;
  const { jobs, schedules, schedule, imageWatch } = registry;
  await startJobs({ store, jobs, schedules, schedule, settings, logger, tracer }, resources);
  const changes = changesOf(parts);
  if (imageWatch && changes) await openImageWatch({ ...parts, ...changes, imageWatch }, resources);
  return registry;
}

/** The sources from which the registry finds what an update of feeds changes for its images. */
function changesOf(parts: RegistryProcess): Pick<WatchingOptions, "updates" | "affected"> | undefined {
  const { indexer, matcher } = parts.services;
  const indexerService = findRemote(parts, "indexerAddress");
  const matcherService = findRemote(parts, "matcherAddress");
  const updates = matcher?.matcher ?? (matcherService && remoteUpdates(matcherService));
  const affected = indexer?.indexer ?? (indexerService && remoteAffected(indexerService));
  return updates && affected && { updates, affected };
}

/** Watches the dependencies of a process. */
export function watchOutages(logger: Logger, { registry }: ServiceSettings): Outages {
  const providers = registry?.oidcProviders ?? [];
  return {
    indexer: watchOutage(logger, "indexer"),
    matcher: watchOutage(logger, "matcher"),
    notifications: watchOutage(logger, "notifications"),
    blobs: watchOutage(logger, "blobs"),
    blobSpace: watchOutage(logger, "space for blobs"),
    mail: watchOutage(logger, "mail"),
    directory: watchOutage(logger, "directory"),
    identityProviders: new Map(
      providers.map(({ service }) => [service, watchOutage(logger, `identity provider ${service}`)]),
    ),
  };
}

/** The log line for a process without a scanner, in which pushed images stay queued. */
function missingScanner(settings: ServiceSettings): { readonly missing: readonly string[]; readonly remedy: string } {
  const isMissing = (mode: "indexer" | "matcher", address: readonly string[] | undefined) =>
    !hasMode(settings, mode) && address === undefined;
  const missing = [
    ...(isMissing("indexer", settings.indexerAddress) ? ["indexerAddress"] : []),
    ...(isMissing("matcher", settings.matcherAddress) ? ["matcherAddress"] : []),
  ];
  return { missing, remedy: "set them, or turn features.securityScanner off; images stay queued until then" };
}

/** The indexer of this process as a source. Submitting uses `index`, which builds no report that nobody reads. */
function withoutReports(indexer: IndexService): IndexSource {
  return {
    state: () => indexer.state(),
    submit: (manifest, options) => indexer.index(manifest, options),
    findReport: (digest) => indexer.findReport(digest),
    findImages: (question) => indexer.findImages(question),
    deleteMany: (digests) => indexer.deleteMany(digests),
    list: (after) => indexer.listImages(after, listedAtOnce),
  };
}

/** How many images are listed at a time. */
const listedAtOnce = 200;

function sharedUnlessOwned(indexer: IndexSource, settings: ServiceSettings): IndexSource {
  return belongsToRegistry(settings) ? indexer : { ...indexer, ...sharedIndexer };
}

/** Whether only the registry can submit images: with a registry, the scanner API needs a key or its own port. */
function belongsToRegistry(settings: ServiceSettings): boolean {
  return hasMode(settings, "registry") && settings.auth === undefined && settings.scannerPort === undefined;
}

/** What {@link scannerOf} needs. */
interface ScannerParts extends Pick<RegistryProcess, "settings" | "store" | "engine" | "layers" | "clock" | "outages"> {
  readonly services: {
    readonly indexer?: Pick<NonNullable<ScannerServices["indexer"]>, "indexer">;
    readonly matcher?: Pick<NonNullable<ScannerServices["matcher"]>, "matcher">;
  };
}

/** The scanner for the registry, from services of this process or remote ones. */
export function scannerOf(parts: ScannerParts): ImageScanner | undefined {
  const { indexer: localIndexer, matcher: localMatcher } = parts.services;
  const indexerService = findRemote(parts, "indexerAddress");
  const matcherService = findRemote(parts, "matcherAddress");
  const { layers, clock, settings, outages, store } = parts;
  const feedQueries = {
    expected: () => expectedFeeds(parts, store),
    failures: () => listFailedUpdates(store),
    names: (asked: string) => findAliases(store, asked),
  };
  const indexer = localIndexer
    ? sharedUnlessOwned(watchedIndexer(withoutReports(localIndexer.indexer), outages.indexer), settings)
    : indexerService && remoteIndexer(indexerService);
  const matcher = localMatcher
    ? watchedReports(localReports(localMatcher.matcher, feedQueries), outages.matcher)
    : matcherService && remoteReports(matcherService);
  const { feedMaxAgeDays, kernelFindings } = settings;
  const rules = { feedMaxAgeDays, kernel: !kernelFindings ? ("set-aside" as const) : undefined };
  return indexer && matcher && imageScanner({ indexer, matcher, layers, clock, ...rules });
}
