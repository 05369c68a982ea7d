/** The operations of the scanner, of the console and of the second listener as golden rows; no server has one without a row. */
import { type ConsoleFile, consoleOperations } from "@plimsoll/console";
import { indexerOperations } from "@plimsoll/indexer/http";
import { matcherOperations } from "@plimsoll/matcher/http";
import { notifierOperations } from "@plimsoll/notifier/http";
import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { type FeedServer, startFeedServer, usualTestEngine } from "@plimsoll/testing";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearerAuthentication } from "../packages/server/src/auth/bearer.ts";
import { createHealthServer, healthOperations } from "../packages/server/src/health/health-server.ts";
import { createMetrics } from "../packages/server/src/metrics/metrics.ts";
import { createApiServer } from "../packages/server/src/serve/api-server.ts";
import { emptyApi } from "../packages/server/src/serve/fixtures/test-api-server.ts";
import { openInstallation } from "../packages/server/src/serve/open-installation.ts";
import { signToken } from "../packages/server/src/serve/open-services.ts";
import { openApiOperation, robotsDocument } from "../packages/server/src/serve/server-documents.ts";
import { exchange } from "./support/exchange.ts";
import { putNotificationSet } from "./support/notification-set.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, submittedManifest, testSettings } from "./support/scanner-service.ts";
import {
  goldenIds,
  noteRoutes,
  readServed,
  type ServedCaller,
  type ServedRow,
  servedCallers,
} from "./support/served-operations.ts";
import { tempFolder } from "./support/temp-folder.ts";

const rows = readServed();
const key = Buffer.from("thirty-two bytes of a shared key");
const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
const set = "7c1f0000-0000-4000-8000-000000000001";
const resources = new AsyncDisposableStack();
const routes = resources.use(noteRoutes());
afterAll(() => resources.disposeAsync());

/** The servers of an installation: where they are. */
interface Servers {
  readonly database: string;
  readonly api: string;
  readonly health: string;
}

async function start(parts: { readonly hasRegistry?: true; readonly hasKey?: true }): Promise<Servers> {
  const { location: database } = resources.use(await usualTestEngine.create());
  await loadTracker(database, { openssl: { "CVE-2024-0001": { urgency: "high" } } });
  await loadTracker(database, { openssl: { "CVE-2024-0002": { urgency: "high" } } });
  const { host: _, ...settings } = defaultRegistrySettings;
  const { path: folder } = resources.use(tempFolder());
  const storage = { kind: "files", folder: `${folder}/blobs` } as const;
  const registry = parts.hasRegistry && { settings, secretFile: `${folder}/secret`, storage };
  const shared = { logger: pino({ level: "silent" }), clock: { now: () => Date.now() } };
  const opened = await openInstallation({ ...testSettings, database, ...(registry && { registry }) }, shared, () => "");
  resources.use(opened);
  const metrics = createMetrics();
  const api = createApiServer({
    ...shared,
    ...opened,
    metrics,
    ignoreTrailingSlash: false,
    console: { page: file("page"), assets: new Map([["index.js", file("script")]]) },
    ...(parts.hasKey && { authenticate: bearerAuthentication({ key, issuers: ["client"] }) }),
  });
  const health = createHealthServer({
    metrics,
    readiness: async () => ({ isReady: true, text: "ok\n", states: [], stopping: undefined }),
  });
  for (const server of [api, health]) resources.defer(() => server.close());
  const place = { host: "127.0.0.1", port: 0 };
  return { database, api: await api.listen(place), health: await health.listen(place) };
}

function file(text: string): ConsoleFile {
  const bytes = new TextEncoder().encode(text);
  return { mediaType: "text/html", bytes, gzipped: bytes, entityTag: text };
}

let layers: FeedServer;
let servers: Readonly<Record<"open" | "beside" | "keyed", Servers>>;
beforeAll(async () => {
  layers = resources.use(await startFeedServer());
  servers = {
    open: await start({}),
    beside: await start({ hasRegistry: true }),
    keyed: await start({ hasKey: true }),
  };
});

describe("the golden table of the scanner, the console and the second listener", () => {
  it("is what is declared, with a row for every operation", () => {
    const declared = [
      ...indexerOperations,
      ...matcherOperations,
      ...notifierOperations,
      robotsDocument,
      openApiOperation(emptyApi),
      ...consoleOperations,
      ...healthOperations,
    ];
    const named = ({ id, method, path, success }: Omit<ServedRow, "statuses">) => `${id} ${success} ${method} ${path}`;

    expect(rows.map(named).sort()).toEqual(declared.map(named).sort());
  });
});

describe("the servers", () => {
  it("have no route that is of no operation, and no operation without a golden row", () => {
    const golden = goldenIds();

    expect(routes.routes.filter(({ operations }) => operations.length === 0)).toEqual([]);
    expect(routes.routes.flatMap(({ operations }) => operations.filter((id) => !golden.has(id)))).toEqual([]);
  });

  it.each(rows)("answer $id as written", async (row) => {
    const statuses: Partial<Record<ServedCaller, number>> = {};
    for (const caller of servedCallers) statuses[caller] = await statusOf(row, caller);

    expect(statuses).toEqual(row.statuses);
  });
});

/** How an operation answers a caller. */
async function statusOf(row: ServedRow, caller: ServedCaller): Promise<number> {
  const { api, health, database } = caller === "open" || caller === "beside" ? servers[caller] : servers.keyed;
  const known = { authorization: `Bearer ${await signToken(key, "client", new Date())}` };
  const forged = { authorization: `Bearer ${await signToken(Buffer.alloc(32, 1), "client", new Date())}` };
  const credentials = { known, forged, open: {}, beside: {}, none: {} }[caller];
  const headers = { ...credentials, ...(row.id === "showConsole" && { accept: "text/html" }) };
  const send = (method: string, path: string, body?: unknown) => {
    const server = healthOperations.some((each) => each.path === path) ? health : api;
    return exchange(server + path, { method, headers, body });
  };
  const isDeleted = row.method === "DELETE" || row.path.includes("{digest}");
  if (isDeleted && row.statuses[caller] < 300) await send("POST", "/indexer/api/v1/index_report", manifest());
  if (row.path.includes("{id}") && row.statuses[caller] < 300 && caller !== "beside") await putSet(database);
  const refs = await send("GET", "/matcher/api/v1/internal/update_operation");
  const { debian = [] } = (refs.json ?? {}) as { readonly debian?: readonly { readonly ref: string }[] };
  const ref = debian[0]?.ref ?? set;
  const { query = "", body } = parts[row.id]?.(ref) ?? {};
  const digest = row.id === "deleteUpdateOperation" ? ref : image.digest;
  const url = row.path
    .replace("{digest}", digest)
    .replace("{id}", set)
    .replace("{name}", "index.js")
    .replace("*", "any");
  return (await send(row.method, url + query, body)).status;
}

async function putSet(database: string): Promise<void> {
  await putNotificationSet(database, { id: set, manifest: image.digest, names: ["CVE-2024-0001"] }).catch(() => {}); // it is there already
}

const manifest = () => submittedManifest(image, layers);

/** Queries and bodies of the requests that need them. */
const parts: Readonly<Record<string, (ref: string) => { readonly query?: string; readonly body?: unknown }>> = {
  indexManifest: () => ({ body: manifest() }),
  deleteManifests: () => ({ body: [image.digest] }),
  affectedManifests: () => ({ body: [] }),
  listRelatedKeys: () => ({ body: [] }),
  findImages: () => ({ body: { kind: "license", value: "MIT", after: "", limit: 1 } }),
  listVulnerabilityReports: () => ({ body: [image.digest] }),
  matchIndexReport: () => ({
    body: {
      ...{ manifest_hash: image.digest, state: "IndexFinished", success: true },
      ...{ packages: {}, distributions: {}, repository: {}, environments: {} },
    },
  }),
  getUpdateDiff: (ref) => ({ query: `?prev=${ref}` }),
  listFeedCoverage: () => ({ body: ["dpkg"] }),
  listEnrichmentRecords: () => ({ body: { enricher: "epss", tags: ["CVE-2024-0001"] } }),
};
