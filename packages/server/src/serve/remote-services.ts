import {
  type Json,
  type MatchFacts,
  type MatchKey,
  parseIndexReportJson,
  parseJson,
  ScanError,
  toCoveredIndexReportJsonInSlices,
  toManifestJson,
  type VulnerabilityReportJson,
} from "@plimsoll/core";
import type { IndexReports } from "@plimsoll/matcher";
import type { AffectedSource, UpdateSource } from "@plimsoll/notifier";
import { discardBody, type OutboundResponse, readBody, retryClock, withRetries } from "@plimsoll/outbound";
import { coveredIndexReportType, coveredReportType } from "@plimsoll/scanner-api";
import { cooperativeYield } from "@plimsoll/store";
import type { IndexSource, ReportSource } from "../registry/image-scanner.ts";
import { callService, isRepeatable, type RemoteService, unavailable } from "./call-service.ts";
import { EntryLists } from "./entry-lists.ts";
import { type JsonEntry, readJsonEntries } from "./json-entries.ts";

/** Index reports of a remote indexer, for the matcher. */
export function remoteIndexReports(indexer: RemoteService): IndexReports {
  return {
    async find(digest, options = {}) {
      const path = `/indexer/api/v1/index_report/${digest}`;
      const json = await fetchJson(indexer, path, { ...options, accept: preferring(coveredIndexReportType) });
      return json === undefined ? undefined : parseIndexReportJson(json);
    },
    async relatedKeys(keys) {
      const body = keys.map(({ ecosystem, name }) => ({ ecosystem, name }));
      const found = await fetchJson(indexer, "/indexer/api/v1/internal/related_keys", { body });
      return found === undefined ? keys : (found as unknown as readonly MatchKey[]); // the schema of this internal operation
    },
  };
}

/** Coverage and enrichments of a remote matcher. */
export function remoteFacts(matcher: RemoteService): MatchFacts {
  const askMatcher = async (name: string, body: Json) =>
    (await fetchJson(matcher, `/matcher/api/v1/internal/${name}`, { body })) ?? [];
  return {
    coverage: async (ecosystems) => (await askMatcher("feed_coverage", ecosystems)) as never, // as we declare it
    findEnrichments: async (enricher, tags) => (await askMatcher("enrichment_record", { enricher, tags })) as never, // likewise
  };
}

/** The update operations of a remote matcher. A diff is streamed: read `added` first, and each list once. */
export function remoteUpdates(matcher: RemoteService): UpdateSource {
  const pathOf = (name: string, query: Readonly<Record<string, string>>) =>
    `/matcher/api/v1/internal/${name}?${new URLSearchParams(query)}`;
  return {
    updateOperations: async (query) => (await fetchJson(matcher, pathOf("update_operation", query))) as never, // as the contract says
    async updateDiff(refs) {
      const lists = new EntryLists(openEntries(matcher, pathOf("update_diff", { ...refs })), ["added", "removed"]);
      return { added: lists.read("added") as never, removed: lists.read("removed") as never }; // likewise
    },
  };
}

/** The affected manifests of a remote indexer, streamed. */
export function remoteAffected(indexer: RemoteService): AffectedSource {
  const path = "/indexer/api/v1/internal/affected_manifest";
  return {
    async *listAffected(body, options) {
      for await (const { section: list, name, value } of openEntries(indexer, path, { ...options, body })) {
        if (list !== "vulnerable_manifests" || name === undefined) continue;
        yield { ids: value as readonly string[], manifests: [name] }; // as the contract says
      }
    },
  };
}

/** A remote indexer, for the registry. */
export function remoteIndexer(indexer: RemoteService): IndexSource {
  return {
    async state() {
      const answer = (await fetchJson(indexer, "/indexer/api/v1/index_state")) as
        | { readonly state?: string }
        | undefined;
      return answer?.state ?? "";
    },
    async submit(manifest, options) {
      const body = toManifestJson(manifest);
      await fetchJson(indexer, "/indexer/api/v1/index_report", { ...options, body, patienceMs: indexingMs });
    },
    findReport: (digest) => remoteIndexReports(indexer).find(digest),
    async deleteMany(digests, options) {
      await fetchJson(indexer, "/indexer/api/v1/index_report", { ...options, method: "DELETE", body: digests });
    },
  };
}

/** A remote matcher, for the registry. */
export function remoteReports(matcher: RemoteService): ReportSource {
  return {
    async report(digest, options) {
      const path = `/matcher/api/v1/vulnerability_report/${digest}`;
      const json = await fetchJson(matcher, path, { ...options, accept: preferring(coveredReportType) });
      if (json === undefined) throw new ScanError("not_found", `the matcher has no report of ${digest}`);
      return json as unknown as VulnerabilityReportJson; // as the contract says
    },
    async match(index, options) {
      const body = await toCoveredIndexReportJsonInSlices(index, cooperativeYield());
      const path = "/matcher/api/v1/internal/index_report";
      const json = await fetchJson(matcher, path, {
        ...options,
        accept: preferring(coveredReportType),
        body: body as unknown as Json,
      });
      return json as unknown as VulnerabilityReportJson | undefined; // as we declare it
    },
  };
}

/** Our own form of a document if the other service has it; else that of the contract, whatever its vendor is. */
const preferring = (type: string) => `${type}, application/json;q=0.9, */*;q=0.1`;

interface CallOptions {
  readonly accept?: string;
  readonly body?: Json;
  readonly method?: "POST" | "DELETE";
  readonly signal?: AbortSignal;
  readonly patienceMs?: number;
}

/** The most bytes of a document, and the time limit of all of it. */
const maxDocumentBytes = 256 * 1024 * 1024;
const documentMs = 300_000;

/** One more attempt for a connection that broke, a service that is starting, and one that ends. All requests may be repeated. */
const retry = { attempts: 2, firstDelayMs: 250, maxDelayMs: 250, maxRetryAfterMs: 0, ...retryClock };
const adviceOf = (error: unknown) => ({ isPassing: isRepeatable(error) });

/** Fetches JSON; undefined for status 404. @throws ScanError `service_unavailable` */
async function fetchJson(service: RemoteService, path: string, asking: CallOptions = {}): Promise<Json | undefined> {
  const { signal } = asking;
  const ask = async () => {
    const since = service.outage?.changes;
    const response = await call(service, path, asking);
    const json = await readJson(response, path).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw unavailable(service, cause, since);
    });
    service.outage?.worked(since);
    return json;
  };
  return withRetries(retry, ask, { adviceOf, ...(signal && { signal }) });
}

async function readJson(response: OutboundResponse, path: string): Promise<Json | undefined> {
  if (response.status !== 404) return parseJson(await readDocument(response, path), path, "malformed_report");
  await discardBody(response);
  return undefined;
}

function readDocument({ body }: OutboundResponse, path: string): Promise<Uint8Array> {
  const tooLarge = () => new Error(`${body.host}: expected at most ${maxDocumentBytes} bytes of ${path}, found more`);
  return readBody(body, { maxBytes: maxDocumentBytes, tooLarge, withinMs: documentMs });
}

/** The most characters of one entry of a streamed response. */
const maxEntryLength = 32 * 1024 * 1024;

/** Streams the entries of a large response. @throws ScanError `service_unavailable`, also while iterating */
async function* openEntries(service: RemoteService, path: string, asking: CallOptions = {}): AsyncGenerator<JsonEntry> {
  const { signal } = asking;
  const since = service.outage?.changes;
  const response = await withRetries(retry, () => call(service, path, asking), { adviceOf, ...(signal && { signal }) });
  try {
    if (response.status === 404) throw new Error(`${response.url.host} answered 404 to ${path}`);
    yield* readJsonEntries(response.body, { what: path, maxEntryLength });
    service.outage?.worked(since);
  } catch (cause) {
    signal?.throwIfAborted();
    throw unavailable(service, cause, since);
  } finally {
    await discardBody(response);
  }
}

/** How long to wait for the beginning of a response: to a query, and to indexing an image. */
const answerMs = 30_000;
const indexingMs = 300_000;

function call(service: RemoteService, path: string, asking: CallOptions): Promise<OutboundResponse> {
  const { accept = "application/json", body, method, signal, patienceMs = answerMs } = asking;
  return callService(service, path, {
    accept,
    patienceMs,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(method !== undefined && { method }),
    ...(signal !== undefined && { signal }),
  });
}
