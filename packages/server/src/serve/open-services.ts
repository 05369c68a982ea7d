import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Engine } from "@plimsoll/core";
import type { MatchFacts } from "@plimsoll/core/internal";
import {
  createIndexService,
  type ImageReaders,
  type IndexerStore,
  type IndexService,
  openLayerFetcher,
} from "@plimsoll/indexer";
import { createIndexSlots } from "@plimsoll/indexer/http";
import { createMatchService, factsOf, type IndexReports, type MatchService } from "@plimsoll/matcher";
import { type AffectedSource, createNotificationService, createNotifier, type UpdateSource } from "@plimsoll/notifier";
import { addressGuard, type RefusedAddress } from "@plimsoll/outbound";
import { scannerMediaTypes } from "@plimsoll/scanner-api";
import { systemTime } from "@plimsoll/store";
import { SignJWT } from "jose";
import { dayMs } from "../cli/database-age.ts";
import { UsageError } from "../cli/exit-code.ts";
import type { NotificationSettings } from "../config/notification-settings.ts";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { BlobLayers } from "../registry/layer-observer.ts";
import type { RemoteService } from "./call-service.ts";
import { issuersOf } from "./compatibility.ts";
import { unlessOutage } from "./open-database.ts";
import { watchedTransport } from "./outages.ts";
import { remoteAffected } from "./remote-affected.ts";
import { remoteFacts, remoteIndexReports, remoteUpdates } from "./remote-services.ts";
import { repeat } from "./repeat.ts";
import type { ScannerServices } from "./scanner-face.ts";
import type { ServiceParts } from "./service-parts.ts";
import { startJobs } from "./start-jobs.ts";
import { openTransport } from "./transport.ts";
import { openUpdating } from "./updating.ts";

/** How often work that a crash interrupted is resumed. */
const resumePeriodMs = 60_000;

/** The `Retry-After` for a client that found no free index slot. */
const retryAfterSeconds = 5;

/**
 * Opens and starts the services of this process; disposing `resources` closes them. A needed service that runs elsewhere is called
 * through its API.
 * @throws UsageError if no setting has the address of such a service
 */
export async function openServices(parts: ServiceParts, resources: AsyncDisposableStack): Promise<ScannerServices> {
  const { settings, store, engine } = parts;
  const indexer = hasMode(settings, "indexer") ? openIndexer(parts, engine, resources) : undefined;
  const matcher = hasMode(settings, "matcher") ? await openMatcher(parts, { engine, indexer, resources }) : undefined;
  const notifications = hasMode(settings, "notifier") ? createNotificationService(store) : undefined;
  if (notifications !== undefined && settings.notifications !== undefined) {
    const updates = matcher ?? remoteUpdates(remote(parts, "matcherAddress"));
    const affected = indexer ?? remoteAffected(remote(parts, "indexerAddress"));
    await openNotifying({ ...parts, notifications: settings.notifications, updates, affected }, resources);
  }
  return {
    indexer: indexer && { indexer, slots: createIndexSlots(settings.indexSlots, retryAfterSeconds) },
    matcher: matcher && { matcher, cacheSeconds: settings.reportCacheSeconds },
    notifier: notifications && { notifications },
  };
}

function openIndexer(parts: ServiceParts, engine: Engine, resources: AsyncDisposableStack): IndexService {
  const { readers, store, settings, logger, layers, figures } = parts;
  const facts = findFacts(parts);
  const onRefused = (refused: RefusedAddress) => logger.warn(refused, "layer_address_refused");
  const more = { layers, facts };
  const indexer = openIndexing({ engine, readers, store, settings, onRefused, ...more }, resources);
  const onError = unlessOutage((err) => logger.error({ err }, "resume_failed"));
  const act = async (signal: AbortSignal) => {
    await indexer.resume({ signal });
    await indexer.refreshKeys({ signal });
  };
  resources.use(repeat({ everyMs: resumePeriodMs, act, onError }));
  return figures.countIndexing(indexer);
}

/** Coverage and enrichments from a matcher, local or remote. Without one, affected images are found by advisories alone. */
function findFacts(parts: ServiceParts): MatchFacts | undefined {
  const { settings, store, engine } = parts;
  if (hasMode(settings, "matcher")) return factsOf(store, engine);
  const matcher = findRemote(parts, "matcherAddress");
  return matcher && remoteFacts(matcher);
}

interface MatcherParts {
  readonly engine: Engine;
  readonly indexer: IndexService | undefined;
  readonly resources: AsyncDisposableStack;
}

async function openMatcher(parts: ServiceParts, { engine, indexer, resources }: MatcherParts): Promise<MatchService> {
  const { store, settings, clock } = parts;
  const reports: IndexReports = indexer
    ? { find: (digest) => indexer.findReport(digest), relatedKeys: (keys) => indexer.relatedKeys(keys) }
    : remoteIndexReports(remote(parts, "indexerAddress"));
  if (settings.updatePeriodSeconds !== undefined) {
    await openUpdating({ ...parts, engine, periodSeconds: settings.updatePeriodSeconds }, resources);
  }
  const outdatedBefore = () => clock.now() - settings.feedMaxAgeDays * dayMs;
  return parts.figures.countMatching(createMatchService({ store, engine, reports, outdatedBefore }));
}

type AddressName = "indexerAddress" | "matcherAddress";

function remote(parts: RemoteParts, name: AddressName): RemoteService {
  const service = findRemote(parts, name);
  if (service !== undefined) return service;
  throw new UsageError(`${name} is missing: that service does not run in this process`);
}

/** What is needed to call another process. */
type RemoteParts = Pick<ServiceParts, "settings" | "clock" | "outages">;

/** The remote service of a setting; undefined if the setting is absent. */
export function findRemote({ settings, clock, outages }: RemoteParts, name: AddressName): RemoteService | undefined {
  const { [name]: addresses, auth } = settings;
  if (addresses === undefined) return undefined;
  const token = auth && (() => signToken(auth.key, issuersOf(settings).service, new Date(clock.now())));
  const service = name === "indexerAddress" ? "indexer" : "matcher";
  const { vendor, compatibility: profile } = settings;
  return { name: service, addresses, vendor, profile, outage: outages[service], token };
}

/** The parts of the notifier of this process. */
interface NotifyingOptions extends ServiceParts {
  readonly notifications: NotificationSettings;
  readonly updates: UpdateSource;
  readonly affected: AffectedSource;
}

/** Starts the notifier: it finds updates and delivers notifications until `resources` is disposed. */
async function openNotifying(options: NotifyingOptions, resources: AsyncDisposableStack): Promise<void> {
  const { store, logger, clock, notifications, updates, affected, settings, outages, tracer } = options;
  const { auth } = settings;
  const token = auth && (() => signToken(auth.key, issuersOf(settings).notifier, new Date(clock.now())));
  const webhook = { mediaType: webhookType(settings), sign: token, proxy: settings.proxy, clock };
  const notifier = createNotifier({
    store,
    clock,
    updates,
    affected,
    mode: notifications.mode,
    callback: notifications.callback,
    pollEveryMs: notifications.pollPeriodSeconds * 1000,
    transport: watchedTransport(await openTransport(notifications.delivery, webhook, resources), outages.notifications),
  });
  await startJobs({ ...notifier, store, settings, logger, tracer }, resources);
}

/** In the reference profile, receivers expect plain JSON. */
function webhookType({ compatibility, vendor }: ServiceSettings): string {
  const [own, json] = scannerMediaTypes(vendor)("notification_webhook");
  return (compatibility === "reference" ? json : own) ?? "application/json";
}

/** The parts of the indexer of this process. */
interface IndexingOptions {
  readonly engine: Engine;
  /** The threads that read layers. */
  readonly readers: ImageReaders;
  readonly store: IndexerStore;
  readonly settings: ServiceSettings;
  /** The registry's layers, if this process has a registry. */
  readonly layers?: BlobLayers;
  /** Coverage and enrichments of reports, if this process knows a matcher. */
  readonly facts?: MatchFacts;
  /** Called for each refused address of a layer. */
  readonly onRefused: (refused: RefusedAddress) => void;
}

/** Opens the indexer of this process; disposing `resources` closes it. */
function openIndexing(options: IndexingOptions, resources: AsyncDisposableStack): IndexService {
  const { engine, readers, store, settings, layers, facts, onRefused } = options;
  const { layerNetworks, proxy } = settings;
  const timeouts = {
    connectMs: settings.layerConnectSeconds * 1000,
    idleMs: settings.layerIdleSeconds * 1000,
    totalMs: settings.layerTotalSeconds * 1000,
  };
  const fetcher = resources.use(openLayerFetcher({ guard: addressGuard(layerNetworks), timeouts, onRefused, proxy }));
  return resources.use(
    createIndexService({
      engine,
      store,
      fetchLayer: layers?.fetchFrom(fetcher.fetchLayer) ?? fetcher.fetchLayer,
      readers,
      facts,
      layersAtOnce: availableParallelism(),
      leaseSeconds: settings.indexLeaseSeconds,
      clock: systemTime.clock,
      random: systemTime.random,
      sleep: (delayMs, signal) => delay(delayMs, undefined, { signal }),
    }),
  );
}

/** A token for one request, valid for a minute. */
export function signToken(key: Uint8Array, issuer: string, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setIssuedAt(seconds)
    .setNotBefore(seconds - 60)
    .setExpirationTime(seconds + 60)
    .sign(key);
}
