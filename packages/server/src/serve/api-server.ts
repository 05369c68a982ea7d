import { randomUUID } from "node:crypto";
import type { Tracer } from "@opentelemetry/api";
import { accountPage, type ConsoleFiles, registerConsole } from "@plimsoll/console";
import {
  type Api,
  askedLast,
  beginReadsWithRequests,
  type DocumentApi,
  prepareBodies,
  type ReadByRequests,
  type RefuseUnreadable,
  refusalOf,
  refuseExpectations,
  refuseMalformedPath,
  refuseUnreadable,
  registerApi,
  registerErrors,
  registerUnknown,
  traceOperations,
  type WriteRefusal,
} from "@plimsoll/http";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Authenticate } from "../auth/bearer.ts";
import type { Readiness } from "../health/readiness.ts";
import { referenceHealth } from "../health/reference-health.ts";
import type { AccessLog } from "../logging/access-log.ts";
import type { RequestMetrics } from "../metrics/metrics.ts";
import type { ProcessFigures } from "../metrics/process-figures.ts";
import { Traffic } from "./bound-traffic.ts";
import { boundClosing } from "./bounded-close.ts";
import { refuseWrongHost } from "./host-problem.ts";
import { limitConnections, parserHeadBytes, refuseLongHeaders } from "./limit-connections.ts";
import { recordAnswers, refuseTunnels } from "./record-answers.ts";
import { type Admit, admitAuthenticated, admitLocal, admitPrograms, rejectAll } from "./scanner-admission.ts";
import { scannerPaths } from "./scanner-paths.ts";
import { openApiOperation, robotsDocument, serverDocuments } from "./server-documents.ts";
import { followStage, type ServiceStage } from "./service-documents.ts";
import { applyTrustedProxies, reportUnexpectedProxies, type TrustsAddress } from "./trusted-proxies.ts";

/** Options of {@link createApiServer}. */
export interface ApiServerOptions {
  readonly api: DocumentApi;
  readonly logger: FastifyBaseLogger;
  readonly clock: { now(): number };
  readonly metrics: RequestMetrics;
  /** Counts connections that are cut; without it, they are not counted. */
  readonly processFigures?: Pick<ProcessFigures, "noteCut">;
  /** Called for each answered request. */
  readonly accessLog?: Pick<AccessLog, "write">;
  /** Starts a span for each request that an operation answers; without it, nothing is traced. */
  readonly tracer?: Tracer;
  /** Whether a slash at the end of a path is ignored. */
  readonly ignoreTrailingSlash: boolean;
  /** Served beside the scanner API, on the same port. */
  readonly registry?: OpenedRegistry;
  /** The web console, served with the registry. */
  readonly console?: ConsoleFiles;
  /** Authenticates clients of the scanner API. Without it, all programs have access, or none if there is a registry. */
  readonly authenticate?: Authenticate;
  /** Whether only programs on this machine may use the scanner API. The server must listen on the loopback interface only. */
  readonly isLocalOnly?: boolean;
  /** Which peers are trusted proxies, whose headers name the client; by default none. */
  readonly trusts?: TrustsAddress;
  /** The database that requests read. */
  readonly store?: ReadByRequests;
  /** Whether the process can work, for the health checks of the reference registry. Absent: they are not served. */
  readonly readiness?: () => Promise<Readiness>;
  /** The stage of the shutdown; by default `serving`. */
  readonly stage?: Readonly<ServiceStage>;
  /** The limits of connections, responses and bodies, shared by the servers of a process; by default, a server has its own. */
  readonly traffic?: Traffic;
  /** Absent: plain HTTP. Certificate chain and key in PEM. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
}

/** Creates the server of the API, which does not listen yet. */
export function createApiServer(options: ApiServerOptions): FastifyInstance {
  const asked = askedLast();
  const write = writeRefusals(options);
  const answers = recordAnswers(options);
  const app = createApp(options, refuseUnreadable(write, asked, answers.unreadable));
  asked.follow(app.server);
  const { registry, authenticate, clock, store, tracer } = options;
  if (tracer !== undefined) traceOperations(app, tracer);
  if (store !== undefined && registry === undefined) beginReadsWithRequests(app, store); // a registry does this for its own requests
  const { stage, trusts, tls } = options;
  reportUnexpectedProxies(app, options);
  if (trusts !== undefined) applyTrustedProxies(app, trusts);
  answers.follow(app);
  refuseExpectations(app, write);
  refuseTunnels(app, write);
  if (tls !== undefined) requireTls(app);
  prepareBodies(app);
  boundTraffic(app, options);
  boundClosing(app);
  if (tls !== undefined) limitHttp2Clients(app, options);
  refuseLongHeaders(app, write);
  refuseWrongHost(app, options);
  if (stage !== undefined) followStage(app, stage, options);
  const { api } = options;
  const openApi = openApiOperation(api);
  const hasConsole = options.console !== undefined;
  // The console's API explorer reads the OpenAPI document without authentication.
  serve(app, serverDocuments(hasConsole ? [robotsDocument, openApi] : [robotsDocument], api.sendError));
  if (options.readiness !== undefined) serve(app, serverDocuments(referenceHealth(options.readiness), api.sendError));
  registry?.register(app, options.console && { accountPage });
  if (options.console !== undefined) registerConsole(app, options.console, { apis: apisOf(api) });
  const admit = authenticate ? admitAuthenticated(authenticate, clock) : admitPrograms;
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404 && registry === undefined) admit(request, reply, done);
    else if (request.is404 && authenticate !== undefined) admit(request, reply, done);
    else done();
  });
  app.register(async (scanner) => {
    scanner.addHook("onRequest", scannerAdmission(options, admit));
    if (!hasConsole) serve(scanner, serverDocuments([openApi], api.sendError));
    registerApi(scanner, api);
  });
  registerErrors(app, api);
  registerUnknown(app, { ...api, operations: [...api.operations, robotsDocument, openApi] });
  return app;
}

/** After all other listeners for requests were prepended, so that this one comes before them. */
function boundTraffic(app: FastifyInstance, { traffic = ownTraffic(app), trusts }: ApiServerOptions): void {
  traffic.bound(app, trusts);
}

function ownTraffic(app: FastifyInstance): Traffic {
  const traffic = new Traffic();
  app.addHook("onClose", async () => traffic[Symbol.dispose]());
  return traffic;
}

/** The prefixes of all API paths: no page of the console is below them. */
function apisOf({ operations }: Pick<DocumentApi, "operations">): readonly string[] {
  const ofScanner = operations.map(({ path }) => `/${path.split("/")[1]}/`);
  return ["/v2/", "/api/", "/keys/", ...new Set(ofScanner)];
}

function serve(app: FastifyInstance, api: Api<undefined>): void {
  app.register(async (scope) => registerApi(scope, api));
}

function scannerAdmission({ authenticate, registry, isLocalOnly }: ApiServerOptions, admit: Admit): Admit {
  if (authenticate !== undefined) return admit;
  if (isLocalOnly) return admitLocal;
  return registry === undefined ? admit : rejectAll;
}

function limitHttp2Clients(app: FastifyInstance, { logger, processFigures, trusts }: ApiServerOptions): void {
  const limits = limitConnections(app, { logger, trusts, noteCut: (reason) => processFigures?.noteCut(reason) });
  app.addHook("onClose", async () => limits[Symbol.dispose]());
}

/** Makes browsers use only TLS for later requests. @see https://www.rfc-editor.org/rfc/rfc6797 */
function requireTls(app: FastifyInstance): void {
  app.addHook("onRequest", (_, reply, done) => {
    reply.raw.setHeader("strict-transport-security", "max-age=31536000");
    done();
  });
}

/** Cipher suites with authenticated encryption and forward secrecy, as RFC 9325 recommends; TLS 1.3 has no others. */
const ciphers = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/** With TLS, clients choose between HTTP/2 and HTTP/1.1 while they connect. */
function createApp(options: ApiServerOptions, clientErrorHandler: RefuseUnreadable): FastifyInstance {
  const { api, logger, ignoreTrailingSlash, tls, registry, trusts } = options;
  const shared = {
    loggerInstance: forAllRequests(logger),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash, maxParamLength: 256 },
    genReqId: () => randomUUID(),
    forceCloseConnections: "idle" as const,
    return503OnClosing: false, // followStage refuses such requests in the form of each API
    trustProxy: trusts === undefined ? undefined : (address: string) => trusts(address),
    frameworkErrors: malformedPaths(api, registry),
    clientErrorHandler,
  };
  const http = { requireHostHeader: false, maxHeaderSize: parserHeadBytes }; // both are refused in the form of each API
  if (tls === undefined) return fastify({ ...shared, http }) as unknown as FastifyInstance;
  const settings = { maxConcurrentStreams };
  const versions = { minVersion: "TLSv1.2" as const, allowHTTP1: true, handshakeTimeout };
  const https = { ...http, ...tls, ...versions, allowHalfOpen: true, ciphers, settings };
  return fastify({ ...shared, http2: true, https }) as unknown as FastifyInstance;
}

/**
 * A logger that is its own child, and leaves out what Fastify says by itself at the level info, which is that it listens: our own line
 * `listening` has the addresses. A child for each request costs more than most responses, and so does a factory, because Fastify
 * checks its loggers. The lines name their request anyway.
 */
function forAllRequests(logger: FastifyBaseLogger): FastifyBaseLogger {
  const shared = logger.child({});
  if (shared.level === "info" || shared.level === "debug") shared.level = "warn";
  shared.child = () => shared;
  return shared;
}

/** Rejects a path that cannot be decoded, in the form of the API that it belongs to. */
function malformedPaths(api: DocumentApi, registry: OpenedRegistry | undefined): OpenedRegistry["refuseMalformedUrl"] {
  const ofScanner = refuseMalformedPath(api);
  if (registry === undefined) return ofScanner;
  const isOfScanner = scannerPaths(api);
  return (error, request, reply) =>
    (isOfScanner(request.url) ? ofScanner : registry.refuseMalformedUrl)(error, request, reply);
}

/** Rejects a request that reaches no route, in the form of the API that it belongs to: by default the registry's, if there is one. */
function writeRefusals({ api, registry }: ApiServerOptions): WriteRefusal {
  const isOfScanner = scannerPaths(api);
  return (error, url) => {
    const ofScanner = refusalOf(api, error);
    if (registry === undefined || (url !== undefined && isOfScanner(url))) return ofScanner;
    const { status } = ofScanner;
    const headers = { ...ofScanner.headers, "content-type": "application/json; charset=utf-8" };
    return { status, headers, body: registry.refusalBody(url, { status, message: error.message }) };
  };
}

/** The most concurrent requests on an HTTP/2 connection; the default is no limit. */
const maxConcurrentStreams = 100;

/** The most milliseconds that a client may take for the TLS handshake. */
const handshakeTimeout = 20_000;
