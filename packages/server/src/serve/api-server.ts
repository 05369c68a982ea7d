import { randomUUID } from "node:crypto";
import {
  type Api,
  refuseMalformedPath,
  refuseUnreadable,
  registerApi,
  registerErrors,
  registerUnknown,
} from "@plimsoll/http";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Authenticate } from "../auth/bearer.ts";
import type { RequestMetrics } from "../metrics/metrics.ts";
import { serveOpenApi } from "./openapi.ts";
import { admitEverybody, admitFromHere, admitKnown } from "./scanner-admission.ts";
import { cutStalledBodies } from "./stalled-bodies.ts";

/** What the server of the API needs. */
export interface ApiServerOptions {
  readonly api: Api;
  readonly logger: FastifyBaseLogger;
  readonly clock: { now(): number };
  readonly metrics: RequestMetrics;
  /** Whether a slash at the end of a path is ignored. */
  readonly ignoreTrailingSlash: boolean;
  /** Served beside the scanner API, on the same port. */
  readonly registry?: OpenedRegistry;
  /** Who may use the scanner API; where absent, everybody, or beside a registry programs of this machine. */
  readonly authenticate?: Authenticate;
  /** Absent: plain HTTP. Certificate chain and key in PEM. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

/** The server of the API, not listening yet. */
export function createApiServer(options: ApiServerOptions): FastifyInstance {
  const app = createApp(options);
  const { metrics, registry, authenticate, clock } = options;
  cutStalledBodies(app, bodyIdleMs);
  app.addHook("onResponse", (request, reply, done) => {
    const operation = request.routeOptions.url ?? "unknown";
    metrics.observe({ operation, method: request.method, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    done();
  });
  app.get("/robots.txt", { exposeHeadRoute: false }, async (_, reply) =>
    reply.type("text/plain").header("cache-control", "no-store").send("User-agent: *\nDisallow: /\n"),
  );
  registry?.register(app);
  const admit = authenticate ? admitKnown(authenticate, clock) : admitEverybody;
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) admit(request, reply, done);
    else done();
  });
  app.register(async (scanner) => {
    scanner.addHook("onRequest", authenticate === undefined && registry !== undefined ? admitFromHere : admit);
    serveOpenApi(scanner, options.api);
    registerApi(scanner, options.api);
  });
  registerErrors(app, options.api);
  registerUnknown(app, options.api);
  return app;
}

/** With TLS, clients choose between HTTP/2 and HTTP/1.1 while they connect. */
function createApp({ api, logger, ignoreTrailingSlash, tls, registry }: ApiServerOptions): FastifyInstance {
  const shared = {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash, maxParamLength: 256 },
    genReqId: () => randomUUID(),
    // A logger for each request costs more than most answers; the lines name their request.
    childLoggerFactory: (each: FastifyBaseLogger) => each,
    forceCloseConnections: "idle" as const,
    frameworkErrors: malformedPaths(api, registry),
    clientErrorHandler: refuseUnreadable(api),
  };
  if (tls === undefined) return fastify(shared) as unknown as FastifyInstance;
  const settings = { maxConcurrentStreams };
  const https = { ...tls, minVersion: "TLSv1.2" as const, allowHTTP1: true, settings };
  return fastify({ ...shared, http2: true, https }) as unknown as FastifyInstance;
}

/** A path that cannot be decoded is refused in the form of the API that it was meant for. */
function malformedPaths(api: Api, registry: OpenedRegistry | undefined): OpenedRegistry["refuseMalformedUrl"] {
  const ofScanner = refuseMalformedPath(api);
  if (registry === undefined) return ofScanner;
  const firstSegments = new Set(api.operations.map(({ path }) => path.split("/")[1]));
  return (error, request, reply) => {
    const isOfScanner = firstSegments.has(request.url.split("/")[1]);
    (isOfScanner ? ofScanner : registry.refuseMalformedUrl)(error, request, reply);
  };
}

/** How long a client may send nothing in the middle of a body. */
const bodyIdleMs = 120_000;

/** Requests under way on one connection of HTTP/2, whose own default is no limit. */
const maxConcurrentStreams = 100;
