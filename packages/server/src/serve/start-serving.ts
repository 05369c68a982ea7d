import { setTimeout as delay } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import type { Tracer } from "@opentelemetry/api";
import { openConsoleFiles } from "@plimsoll/console";
import { listFailedUpdates, listFeeds } from "@plimsoll/matcher";
import { readRegistryFigures } from "@plimsoll/registry-api";
import { countJobs } from "@plimsoll/store";
import type { FastifyInstance } from "fastify";
import { bearerAuthentication } from "../auth/bearer.ts";
import { UsageError } from "../cli/exit-code.ts";
import { readGivenFile } from "../config/read-given-file.ts";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { feedFigures, feedLines, jobFigures, registryFigures } from "../health/figures.ts";
import { createHealthServer } from "../health/health-server.ts";
import { judgeReadiness } from "../health/readiness.ts";
import { type AccessLog, createAccessLog } from "../logging/access-log.ts";
import { createMetrics, readAtMostEvery } from "../metrics/metrics.ts";
import { createProcessFigures, type ProcessFigures } from "../metrics/process-figures.ts";
import { trafficText } from "../metrics/traffic-figures.ts";
import { createWorkFigures, type WorkFigures } from "../metrics/work-figures.ts";
import { type ApiServerOptions, createApiServer } from "./api-server.ts";
import { Traffic } from "./bound-traffic.ts";
import { issuersOf } from "./compatibility.ts";
import { checkPorts, type ListenPlace, listenOrExplain } from "./listen-problem.ts";
import { type Installation, openInstallation, type ServingParts } from "./open-installation.ts";
import { watchOutage } from "./outages.ts";
import type { ServiceStage } from "./service-documents.ts";
import { trustedNetworks } from "./trusted-proxies.ts";
import { watchListener } from "./watched-ports.ts";

export {
  type DeclaredServiceSettings,
  defaultServiceSettings,
  type ServiceSettings,
} from "../config/service-settings.ts";
export type { ConnectionLimits } from "./open-connections.ts";
export type { ServingParts } from "./open-installation.ts";
export { type OpenedApi, openScannerApi } from "./open-scanner-api.ts";
export type { BodyPace } from "./slow-bodies.ts";
export type { TrafficLimits } from "./traffic-limits.ts";

/** A listening service. Disposing shuts it down in order: running requests are answered first. */
export interface Serving extends AsyncDisposable {
  /** The address of the API. */
  readonly address: string;
  /** The address of `/healthz`, `/readyz` and `/metrics`. */
  readonly healthAddress: string;
  /** The address of the scanner API for programs on this machine; absent without a registry and the setting `scannerPort`. */
  readonly scannerAddress?: string;
}

/**
 * Starts the service, which listens on the ports of the API and of health checks.
 * @throws StoreError, UsageError, Error with the reason if it cannot listen, or the reason of `parts.signal`
 * @example
 * import { pino } from "pino";
 *
 * const settings = { ...defaultServiceSettings, database: "scanner.db" };
 * await using serving = await startServing(settings, { logger: pino(), clock: { now: Date.now } });
 * console.log(`the scanner API is at ${serving.address}`);
 */
export async function startServing(settings: ServiceSettings, parts: ServingParts): Promise<Serving> {
  await using resources = new AsyncDisposableStack();
  const tls = settings.tls && (await readTls(settings.tls));
  const { host, port, healthPort } = settings;
  const at = { address: `${host}:${port}` };
  await checkPorts(placesOf(settings)); // before migrations and feeds, which take long
  const { figures = createWorkFigures(), processFigures = createProcessFigures() } = parts;
  const tracer = await openTracer(settings, parts, resources);
  const given = { ...parts, figures, ...(tracer && { tracer }) };
  const installation = resources.use(await openInstallation(settings, given, () => at.address));
  const { api: scanner, registry, store } = installation;
  const metrics = createMetrics();
  const { logger, clock } = parts;
  const accessLog = openAccessLog(settings, parts, resources);
  const stage: ServiceStage = { kind: "serving" };
  const stopping = () => (stage.kind === "serving" ? undefined : "the service stops");
  const readiness = judgeReadiness({ dependencies: installation.dependencies, stopping, clock });
  const traffic = resources.use(new Traffic(settings.traffic));
  const health = createHealthServer({
    metrics,
    readiness,
    ...healthOf({ store, clock, settings, figures, processFigures, traffic, expected: installation.feeds }),
  });
  resources.defer(() => health.close());
  const watch = portWatch(parts, processFigures);
  watch(health, "healthPort");
  const shared = {
    api: scanner,
    store,
    logger,
    clock,
    metrics,
    traffic,
    accessLog,
    tracer,
    processFigures,
    stage,
    ignoreTrailingSlash: settings.compatibility === "reference",
  };
  const scannerAddress = registry && (await openScannerPort({ ...shared, watch }, settings, resources));
  if (isBehindUnknownProxy(settings)) logger.warn({ reason: unknownProxy }, "proxy_not_trusted");
  const trusts = settings.trustedProxies.length > 0 ? trustedNetworks(settings.trustedProxies) : undefined;
  const console = registry && settings.console ? openConsoleFiles() : undefined;
  const api = createApiServer({
    ...shared,
    registry,
    readiness: settings.registry?.settings.compatibility === "reference" ? readiness : undefined,
    console,
    trusts,
    authenticate: settings.auth && bearerAuthentication(withServices(settings.auth, settings)),
    tls,
  });
  resources.defer(() => api.close());
  watch(api, "port");
  const address = await listenOrExplain({ host, port, setting: "port" }, (place) => api.listen(place));
  at.address = new URL(address).host;
  const healthPlace = { host, port: healthPort, setting: "healthPort" };
  const healthAddress = await listenOrExplain(healthPlace, (place) => health.listen(place));
  const addresses = { address, healthAddress, scannerAddress, console: registry && console !== undefined };
  logger.info({ ...addresses, modes: settings.modes, database: store.location }, "listening");
  const owned = resources.move();
  return {
    address,
    healthAddress,
    scannerAddress,
    async [Symbol.asyncDispose]() {
      const { drainSeconds } = settings;
      logger.info({ drainSeconds }, "stopping");
      stage.kind = "draining";
      await delay(1000 * drainSeconds);
      stage.kind = "refusing";
      await owned.disposeAsync();
      logger.info("stopped");
    },
  };
}

/** Watches the server of the port that a setting names. */
type PortWatch = (app: Pick<FastifyInstance, "server">, setting: string) => void;

function portWatch(
  { logger, clock, onFailure }: Pick<ServingParts, "logger" | "clock" | "onFailure">,
  { noteNotAccepted }: ProcessFigures,
): PortWatch {
  const onLost = (error: Error) => onFailure?.(error);
  return ({ server }, setting) => watchListener(server, { logger, clock, setting, noteNotAccepted, onLost });
}

/** Whether a proxy serves HTTPS for this process, and no address is that of a trusted proxy. */
function isBehindUnknownProxy({ registry, tls, trustedProxies }: ServiceSettings): boolean {
  return registry?.settings.scheme === "https" && tls === undefined && trustedProxies.length === 0;
}

const unknownProxy =
  "behindTls is set, but trustedProxies is empty: all clients share the limits for one address until the proxy's address is in trustedProxies";

/** The tracer: one for the endpoint of the settings, or that of the parts. It is closed after everything that is traced. */
async function openTracer(
  { traces, proxy }: ServiceSettings,
  { logger, tracer }: ServingParts,
  resources: AsyncDisposableStack,
): Promise<Tracer | undefined> {
  if (traces === undefined) return tracer;
  const { openTracing } = await import("../tracing/open-tracing.ts"); // loaded only if something is traced
  return resources.use(openTracing({ ...traces, proxy, outage: watchOutage(logger, "traces") })).tracer;
}

/** The access log, if the settings enable it. It is closed after everything that responds. */
function openAccessLog(
  { accessLog, logLevel }: ServiceSettings,
  { accessOutput }: ServingParts,
  resources: AsyncDisposableStack,
): AccessLog | undefined {
  const isLogged = accessLog && (logLevel === "info" || logLevel === "debug");
  return isLogged && accessOutput ? resources.use(createAccessLog(accessOutput)) : undefined;
}

/** Opens the port of the scanner API for programs on this machine. @returns its address, if the settings enable it */
async function openScannerPort(
  { watch, ...shared }: Omit<ApiServerOptions, "registry" | "authenticate" | "tls"> & { readonly watch: PortWatch },
  { scannerPort }: ServiceSettings,
  resources: AsyncDisposableStack,
): Promise<string | undefined> {
  if (scannerPort === undefined) return undefined;
  const server = createApiServer({ ...shared, isLocalOnly: true });
  resources.defer(() => server.close());
  watch(server, "scannerPort");
  const place = { host: "127.0.0.1", port: scannerPort, setting: "scannerPort" };
  return listenOrExplain(place, (where) => server.listen(where));
}

/** Adds the issuer of the installation's own services, so that they accept each other's tokens. */
function withServices(
  auth: NonNullable<ServiceSettings["auth"]>,
  settings: ServiceSettings,
): NonNullable<ServiceSettings["auth"]> {
  return { ...auth, issuers: [...auth.issuers, issuersOf(settings).service] };
}

async function readTls({ certificate, key }: NonNullable<ServiceSettings["tls"]>) {
  const pair = { cert: await readGivenFile("tlsCertificate", certificate), key: await readGivenFile("tlsKey", key) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause);
    const expected = "expected a certificate chain and the key of its first certificate, in PEM";
    throw new UsageError(`tlsCertificate, tlsKey: ${expected}, in ${certificate} and ${key}: ${found}`, { cause });
  }
  return pair;
}

/** The least time between two reads of metrics from the database. */
const readEveryMs = 10_000;

interface HealthParts {
  readonly store: Installation["store"];
  readonly clock: { now(): number };
  readonly settings: ServiceSettings;
  readonly figures: WorkFigures;
  readonly processFigures: ProcessFigures;
  readonly traffic: Pick<Traffic, "figures">;
  /** Names of the feeds that should be loaded. */
  readonly expected: () => Promise<readonly string[]>;
}

/** The health server's sources about the work of this process and the content of the database. */
function healthOf({ store, clock, settings, figures, processFigures, traffic, expected }: HealthParts) {
  const hasMatcher = hasMode(settings, "matcher");
  const { registry } = settings;
  const read = readAtMostEvery(readEveryMs, async () => {
    const jobs = jobFigures(await countJobs(store.db));
    const feeds = hasMatcher ? feedFigures(await listFeeds(store), await expected(), clock.now()) : "";
    const stored = registry && registryFigures(await readRegistryFigures(store), registry.storage.kind);
    return feeds + jobs + (stored ?? "");
  });
  return {
    moreFigures: async () => {
      const ofProcess = trafficText(traffic.figures()) + (await figures.text()) + (await processFigures.text());
      return ofProcess + (await read().catch(() => ""));
    },
    moreLines: hasMatcher
      ? async () => {
          const { feedMaxAgeDays: maxAgeDays } = settings;
          const failures = await listFailedUpdates(store);
          return feedLines(await listFeeds(store), {
            expected: await expected(),
            failures,
            now: clock.now(),
            maxAgeDays,
          });
        }
      : undefined,
  };
}

/** Where the service is going to listen. */
function placesOf({ host, port, healthPort, scannerPort, registry }: ServiceSettings): readonly ListenPlace[] {
  return [
    { host, port, setting: "port" },
    { host, port: healthPort, setting: "healthPort" },
    ...(registry && scannerPort !== undefined
      ? [{ host: "127.0.0.1", port: scannerPort, setting: "scannerPort" }]
      : []),
  ];
}
