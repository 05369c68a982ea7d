import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { listFeeds } from "@plimsoll/matcher";
import { countJobs } from "@plimsoll/store";
import { bearerAuthentication } from "../auth/bearer.ts";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { feedFigures, feedLines } from "../health/feed-figures.ts";
import { createHealthServer } from "../health/health-server.ts";
import { jobFigures } from "../health/job-figures.ts";
import { judgeReadiness } from "../health/readiness.ts";
import { type AccessLog, createAccessLog } from "../logging/access-log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { type ApiServerOptions, createApiServer } from "./api-server.ts";
import { issuersOf } from "./compatibility.ts";
import { type Installation, openInstallation, type ServingParts } from "./open-installation.ts";
import type { ServiceStage } from "./service-stage.ts";
import { trustedNetworks } from "./trusted-proxies.ts";

export { defaultServiceSettings, type ServiceSettings } from "../config/service-settings.ts";
export type { ServingParts } from "./open-installation.ts";
export { type OpenedApi, openScannerApi } from "./open-scanner-api.ts";

/** A service that listens. Disposing stops it in order: requests under way are answered first. */
export interface Serving extends AsyncDisposable {
  /** Where the API is. */
  readonly address: string;
  /** Where `/healthz`, `/readyz` and `/metrics` are. */
  readonly healthAddress: string;
  /** Where the scanner API is for programs of this machine; absent unless the settings want it beside a registry. */
  readonly scannerAddress?: string;
}

/** Starts the service on its two listeners. @throws StoreError, UsageError, system errors of listening */
export async function startServing(settings: ServiceSettings, parts: ServingParts): Promise<Serving> {
  await using resources = new AsyncDisposableStack();
  const at = { address: `${settings.host}:${settings.port}` };
  const installation = resources.use(await openInstallation(settings, parts, () => at.address));
  const { api: scanner, registry, store } = installation;
  const metrics = createMetrics();
  const { logger, clock } = parts;
  const accessLog = openAccessLog(settings, parts, resources);
  const stage: ServiceStage = { kind: "serving" };
  const stopping = () => (stage.kind === "serving" ? undefined : "the service stops");
  const readiness = judgeReadiness({ dependencies: installation.dependencies, stopping, clock });
  const health = createHealthServer({
    metrics,
    readiness,
    ...healthOf(store, clock, settings),
  });
  resources.defer(() => closeServer(health));
  const shared = {
    api: scanner,
    logger,
    clock,
    metrics,
    ...(accessLog && { accessLog }),
    stage,
    ignoreTrailingSlash: settings.compatibility === "reference",
  };
  const scannerAddress = registry && (await openScannerPort(shared, settings, resources));
  const trusts = settings.trustedProxies.length > 0 ? trustedNetworks(settings.trustedProxies) : undefined;
  const api = createApiServer({
    ...shared,
    ...(registry && { registry }),
    ...(trusts && { trusts }),
    ...(settings.auth && { authenticate: bearerAuthentication(withServices(settings.auth, settings)) }),
    ...(settings.tls && { tls: await readTls(settings.tls) }),
  });
  resources.defer(() => api.close());
  const address = await api.listen({ host: settings.host, port: settings.port });
  at.address = new URL(address).host;
  const healthAddress = await listen(health, settings.host, settings.healthPort);
  logger.info({ address, healthAddress, scannerAddress, modes: settings.modes, database: store.location }, "listening");
  const owned = resources.move();
  return {
    address,
    healthAddress,
    ...(scannerAddress !== undefined && { scannerAddress }),
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

/** The access log, if the settings want one. It is closed after everything that answers. */
function openAccessLog(
  { accessLog, logLevel }: ServiceSettings,
  { accessOutput }: ServingParts,
  resources: AsyncDisposableStack,
): AccessLog | undefined {
  const isLogged = accessLog && (logLevel === "info" || logLevel === "debug");
  return isLogged && accessOutput ? resources.use(createAccessLog(accessOutput)) : undefined;
}

/** The scanner API beside a registry, for programs of this machine. @returns where it is, if the settings want it */
async function openScannerPort(
  shared: Omit<ApiServerOptions, "registry" | "authenticate" | "tls">,
  { scannerPort }: ServiceSettings,
  resources: AsyncDisposableStack,
): Promise<string | undefined> {
  if (scannerPort === undefined) return undefined;
  const server = createApiServer({ ...shared, onlyFromHere: true });
  resources.defer(() => server.close());
  return server.listen({ host: "127.0.0.1", port: scannerPort });
}

/** The services of an installation let each other in. */
function withServices(
  auth: NonNullable<ServiceSettings["auth"]>,
  settings: ServiceSettings,
): NonNullable<ServiceSettings["auth"]> {
  return { ...auth, issuers: [...auth.issuers, issuersOf(settings).service] };
}

async function readTls({ certificate, key }: NonNullable<ServiceSettings["tls"]>) {
  return { cert: await readFile(certificate), key: await readFile(key) };
}

/** What the second listener tells of the queue, and beside a matcher of the feeds. */
function healthOf(store: Installation["store"], clock: { now(): number }, settings: ServiceSettings) {
  const jobs = async () => jobFigures(await countJobs(store.db));
  if (!hasMode(settings, "matcher")) return { moreFigures: jobs };
  return {
    moreFigures: async () => feedFigures(await listFeeds(store), clock.now()) + (await jobs()),
    moreLines: async () => feedLines(await listFeeds(store), clock.now(), settings.feedMaxAgeDays),
  };
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const { address, port: bound, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
