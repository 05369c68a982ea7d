import { withoutUndefined } from "@plimsoll/core/internal";
import { beginReadsWithRequests } from "@plimsoll/http";
import { type DamagedBlob, DamageWatch } from "@plimsoll/registry/content/storage/damaged-blobs";
import type { StoredBlob } from "@plimsoll/registry/content/storage/linked-blobs";
import { watchReads } from "@plimsoll/registry/content/storage/watch-reads";
import { createPasswords, defaultTurns } from "@plimsoll/registry/crypto/passwords";
import { createSealer, deriveKey } from "@plimsoll/registry/crypto/secrets";
import type { Deps } from "@plimsoll/registry/deps";
import { createBrowserSessions } from "@plimsoll/registry/identity/sign-in/sessions";
import { kindsWithRows, refusedJobs, registryJobs, registrySchedules } from "@plimsoll/registry/jobs";
import type { Collected } from "@plimsoll/registry/lifecycle/collection/collection";
import { createAddressLimit } from "@plimsoll/registry/limits/address-limit";
import { TagRoom } from "@plimsoll/registry/limits/tag-room";
import { noMailer, noPorts, type Ports } from "@plimsoll/registry/ports";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import { type ImageScanner, noImageScanner } from "@plimsoll/registry/ports/scanning";
import { wrapPort } from "@plimsoll/registry/ports/wrap-port";
import {
  type LayerObservations,
  type LayerObserver,
  noObservations,
  observeLayers,
} from "@plimsoll/registry/push/observe-layers";
import { createImageWatch, type ImageWatch } from "@plimsoll/registry/security/image-watch";
import { createPullDecisions } from "@plimsoll/registry/security/pull-gate/pull-decisions";
import { type ScanOptions, scanManifest } from "@plimsoll/registry/security/scan-manifest";
import { completeSettings, type GivenRegistrySettings, type RegistrySettings } from "@plimsoll/registry/settings";
import { CachePulls } from "@plimsoll/registry/sources/proxy-caches/pull-through";
import type { RegistryStore, RegistryTables } from "@plimsoll/registry/store/tables/all";
import {
  followSchedules,
  type RunnableJob,
  type Schedule,
  startJobWorker,
  systemTime,
  withdrawJobs,
} from "@plimsoll/store";
import type { FastifyInstance } from "fastify";
import { registerBuildHooks } from "./build-hooks/register-build-hooks.ts";
import { createRegistryAuth } from "./distribution/identify-caller.ts";
import {
  type RefusalBody,
  type RefuseMalformedUrl,
  type RefuseUnavailable,
  refusalBodies,
  refuseMalformedUrls,
  refuseWhileStopping,
} from "./distribution/malformed-urls.ts";
import { registerDistribution } from "./distribution/register-distribution.ts";
import { registerTokenService } from "./distribution/token-service.ts";
import { registerManagementApi } from "./http/management-api.ts";
import { registerPreflight } from "./http/preflight.ts";
import type { BesideRegistry } from "./http/served-registry.ts";
import { registerKeyServer } from "./key-server/register-key-server.ts";
import { logEntryView } from "./logs/log-entries.ts";
import { registryOperations } from "./operations.ts";
import { pageAddresses } from "./page-addresses.ts";
import { registerPages } from "./pages/register-pages.ts";

/** Options of `createRegistry`. */
export interface RegistryOptions {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  /** Where they differ from {@link defaultRegistrySettings}; without a `host`, the registry has the name that a request uses. */
  readonly settings?: GivenRegistrySettings;
  /** Where absent: the clock of the machine, and no requests to other hosts. */
  readonly ports?: Partial<Ports>;
  /** At least 32 bytes, the same at every node: secrets are sealed and tokens signed with keys derived from it. */
  readonly key: Uint8Array;
  /** Reads layers while they are pushed. Where absent, no layer is read. */
  readonly observer?: LayerObserver;
  /** Called for everything that garbage collection removes. */
  readonly onCollected?: (item: Collected) => void;
  /** Called for each blob that a reader found missing or damaged. */
  readonly onDamaged?: (blob: DamagedBlob) => void;
  /** Called for each damaged blob whose content was stored again. */
  readonly onHealed?: (blob: StoredBlob) => void;
  /** Resolves after that time, or as soon as the signal is aborted. Where absent, the timers of the machine. */
  readonly sleep?: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
}

/** A registry. The caller serves it from a Fastify instance and runs its jobs with a worker. */
export interface OpenedRegistry {
  /** Serves `/v2`, `/api/v1`, `/keys` and the pages that browsers open. */
  register(app: FastifyInstance, beside?: BesideRegistry): void;
  /** The `frameworkErrors` option of that instance: the response to URLs that cannot be routed. */
  readonly refuseMalformedUrl: RefuseMalformedUrl;
  /** The response bodies for requests that cannot be read, or whose `Expect` header cannot be met. */
  readonly refusalBody: RefusalBody;
  /** The response to requests while the process stops. */
  readonly refuseUnavailable: RefuseUnavailable;
  /** The kinds of its jobs, for a worker. */
  readonly jobs: readonly RunnableJob[];
  /** Reports what updates of feeds change for images; absent where the registry has no scanner. */
  readonly imageWatch?: ImageWatch;
  /** The schedules of its recurring jobs, for a worker. */
  readonly schedules: readonly Schedule<RegistryTables>[];
  /** Enqueues the recurring jobs, and removes waiting jobs of features that are off. */
  schedule(): Promise<void>;
  /** Schedules and runs the jobs in this process until the result is disposed of. For applications without their own worker. */
  runJobs(): Promise<AsyncDisposable>;
}

/**
 * Creates a registry on an open database.
 * @example
 * import fastify from "fastify";
 *
 * const store = await openStore<RegistryTables>("registry.db", { migrations: [registryMigrations] });
 * const key = await readSecretKey("registry.key");
 * const registry = createRegistry({ store, blobs: createFileBlobStore("blobs"), key });
 * const app = fastify();
 * registry.register(app);
 * await using jobs = await registry.runJobs();
 * await app.listen({ port: 8080 });
 */
export function createRegistry(options: RegistryOptions): OpenedRegistry {
  const { store, key, observer, onCollected, onDamaged, onHealed, sleep = systemTime.sleep } = options;
  const settings = completeSettings(options.settings, { builds: options.ports?.imageBuilder !== undefined });
  const { clock = systemTime.clock } = options.ports ?? {};
  const damage = new DamageWatch({ store, blobs: options.blobs, now: () => clock.now(), onDamaged, onHealed });
  const blobs = watchReads(options.blobs, damage);
  const deps: Deps = {
    ...{ ...noPorts, ...withoutUndefined(options.ports ?? {}) },
    ...{ store, blobs, clock, settings },
    pageAddress: pageAddresses(settings),
    ...ownParts(settings, key),
    passwords: createPasswords(defaultTurns),
  };
  const isScanned = settings.features.securityScanner && deps.imageScanner !== noImageScanner;
  const observations = observer ? observeLayers({ observer, blobs, sleep }) : noObservations;
  const scanner = isScanned ? afterObservations(deps.imageScanner, observations) : undefined;
  const scanning = scanner && { store, scanner, blobs, damage, clock, settings, pageAddress: deps.pageAddress };
  const authOptions = {
    ...deps,
    db: store.db,
    tokenKey: deriveKey(key, "registry tokens"),
    onlyVerified: deps.mailer !== noMailer,
  };
  const pullThrough =
    settings.features.proxyCache && !settings.readOnly ? new CachePulls({ ...deps, sleep }) : undefined;
  const jobs = registryJobs({ ...deps, viewLogEntry: logEntryView, scanning, onCollected, pullThrough });
  const schedules = registrySchedules({ ...deps, scanning });
  const schedule = async () => {
    // Another node may have an image builder: without one, builds are off at this node and not in the registry.
    const { builds = true } = options.settings?.features ?? {};
    await withdrawJobs(store, refusedJobs({ ...settings.features, builds }), clock);
    await followSchedules(store, schedules, clock);
  };
  return {
    register(app, { accountPage } = {}) {
      beginReadsWithRequests(app, store);
      const auth = createRegistryAuth(authOptions);
      registerTokenService(app, authOptions, auth);
      registerDistribution(app, {
        registry: deps,
        blobs,
        auth,
        observations,
        decisions: createPullDecisions(),
        scanPushed: scanning === undefined ? undefined : (manifestId) => scanSoon({ ...scanning, sleep }, manifestId),
        pullThrough,
      });
      app.addHook("onClose", async () => {
        observations.close();
        pullThrough?.close();
      });
      registerManagementApi(app, deps, registryOperations);
      registerPreflight(app, deps);
      registerBuildHooks(app, deps);
      registerKeyServer(app, deps);
      registerPages(app, { ...deps, accountPage });
    },
    refuseMalformedUrl: refuseMalformedUrls(settings),
    refusalBody: refusalBodies(settings),
    refuseUnavailable: refuseWhileStopping(settings),
    jobs,
    imageWatch: scanning && createImageWatch(scanning),
    schedules,
    schedule,
    async runJobs() {
      await schedule();
      const worker = startJobWorker({ store, jobs, schedules, ...systemTime, clock });
      return { [Symbol.asyncDispose]: () => worker.stop() };
    },
  };
}

/** The parts of a registry that it makes itself, of its settings and its key. */
export function ownParts({ accountsPerAddressPerHour: perHour }: RegistrySettings, key: Uint8Array) {
  return {
    signUps: createAddressLimit({ perHour }),
    tagRoom: new TagRoom(),
    loginKey: deriveKey(key, "logins"),
    browserSessions: createBrowserSessions(deriveKey(key, "anonymous sessions")),
    secrets: createSealer(key, "secrets"),
    pageTokens: { sealer: createSealer(key, "page tokens") },
    kindsWithRows,
  };
}

/** Scans an image, but waits no longer than a push may wait. A scan that is late or fails stays in the queue. */
async function scanSoon(
  options: ScanOptions & Required<Pick<RegistryOptions, "sleep">> & { readonly settings: RegistrySettings },
  manifestId: string,
): Promise<void> {
  const { sleep, settings } = options;
  const done = new AbortController();
  const scanned = scanManifest(options, manifestId, new AbortController().signal).catch(() => {});
  await Promise.race([scanned, sleep(1000 * settings.scanPatienceSeconds, done.signal).catch(() => {})]);
  done.abort();
}

/** A scanner that indexes an image only after this process has observed the image's pushed layers. */
function afterObservations(scanner: ImageScanner, observations: LayerObservations): ImageScanner {
  return wrapPort(scanner, {
    async index(image, how) {
      await observations.settle(image.layers.map(({ digest }) => digest));
      await scanner.index(image, how);
    },
  });
}
