import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { bearerAuthentication } from "../auth/bearer.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { createHealthServer } from "../health/health-server.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createApiServer } from "./api-server.ts";
import { issuersOf } from "./compatibility.ts";
import { type InstallationStore, openInstallation, type ServingParts } from "./open-installation.ts";

export { defaultServiceSettings, type ServiceSettings } from "../config/service-settings.ts";
export type { ServingParts } from "./open-installation.ts";
export { type OpenedApi, openScannerApi } from "./open-scanner-api.ts";

/** A service that listens. Disposing stops it in order: requests under way are answered first. */
export interface Serving extends AsyncDisposable {
  /** Where the API is. */
  readonly address: string;
  /** Where `/healthz`, `/readyz` and `/metrics` are. */
  readonly healthAddress: string;
}

/** Starts the service on its two listeners. @throws StoreError, UsageError, system errors of listening */
export async function startServing(settings: ServiceSettings, parts: ServingParts): Promise<Serving> {
  await using resources = new AsyncDisposableStack();
  const at = { address: `${settings.host}:${settings.port}` };
  const installation = resources.use(await openInstallation(settings, parts, () => at.address));
  const { api: scanner, registry, store } = installation;
  const metrics = createMetrics();
  const { logger, clock } = parts;
  const stopping = new AbortController();
  const health = createHealthServer({ metrics, checkReady: () => checkReady(store, stopping.signal) });
  resources.defer(() => closeServer(health));
  const api = createApiServer({
    api: scanner,
    ...(registry && { registry }),
    logger,
    clock,
    metrics,
    ignoreTrailingSlash: settings.compatibility === "reference",
    ...(settings.auth && { authenticate: bearerAuthentication(withServices(settings.auth, settings)) }),
    ...(settings.tls && { tls: await readTls(settings.tls) }),
  });
  const connections = openConnections(api.server);
  resources.defer(() => closeApi(api, connections));
  const address = await api.listen({ host: settings.host, port: settings.port });
  at.address = new URL(address).host;
  const healthAddress = await listen(health, settings.host, settings.healthPort);
  logger.info({ address, healthAddress, modes: settings.modes, database: store.location }, "listening");
  const owned = resources.move();
  return {
    address,
    healthAddress,
    async [Symbol.asyncDispose]() {
      logger.info("stopping");
      stopping.abort(new Error("the service stops"));
      await owned.disposeAsync();
      logger.info("stopped");
    },
  };
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

/** @throws whatever the database says, or that the service stops */
async function checkReady(store: InstallationStore, stopping: AbortSignal): Promise<void> {
  stopping.throwIfAborted();
  await store.db.selectFrom("indexer_run").select("run").limit(1).execute();
}

/** How long requests under way have when the service stops. */
const graceMs = 10_000;

async function closeApi(api: FastifyInstance, connections: ReadonlySet<Socket>): Promise<void> {
  const cut = setTimeout(() => {
    for (const connection of connections) connection.destroy();
  }, graceMs);
  await api.close();
  clearTimeout(cut);
}

/** The connections of a server as they come and go; a server of HTTP/2 cannot cut its own. */
function openConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on("connection", (connection: Socket) => {
    open.add(connection);
    connection.once("close", () => open.delete(connection));
  });
  return open;
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
