import {
  type Bytes,
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
import { coveredIndexReportType, coveredReportType } from "@plimsoll/scanner-api";
import { cooperativeYield } from "@plimsoll/store";
import type { IndexSource, ReportSource } from "../registry/image-scanner.ts";
import { callService, type RemoteService } from "./call-service.ts";
import { EntryLists } from "./entry-lists.ts";
import { type JsonEntry, readJsonEntries } from "./json-entries.ts";

/** Index reports of a remote indexer, for the matcher. */
export function remoteIndexReports(indexer: RemoteService): IndexReports {
  return {
    async find(digest, options = {}) {
      const path = `/indexer/api/v1/index_report/${digest}`;
      const json = await fetchJson(indexer, path, { ...options, accept: coveredIndexReportType });
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
      const json = await fetchJson(matcher, path, { ...options, accept: coveredReportType });
      if (json === undefined) throw new ScanError("not_found", `${nameOf(matcher)} has no report of ${digest}`);
      return json as unknown as VulnerabilityReportJson; // as the contract says
    },
    async match(index, options) {
      const body = await toCoveredIndexReportJsonInSlices(index, cooperativeYield());
      const path = "/matcher/api/v1/internal/index_report";
      const json = await fetchJson(matcher, path, {
        ...options,
        accept: coveredReportType,
        body: body as unknown as Json,
      });
      return json as unknown as VulnerabilityReportJson | undefined; // as we declare it
    },
  };
}

interface CallOptions {
  readonly accept?: string;
  readonly body?: Json;
  readonly method?: "POST" | "DELETE";
  readonly signal?: AbortSignal;
  readonly patienceMs?: number;
}

/** Fetches JSON; undefined for status 404. @throws ScanError `source_unreachable` */
async function fetchJson(service: RemoteService, path: string, asking: CallOptions = {}): Promise<Json | undefined> {
  const response = await call(service, path, asking);
  const bytes = new Uint8Array(await response.arrayBuffer().catch((cause: unknown) => throwBrokenOff(service, cause)));
  if (response.status === 404) return undefined;
  checkStatus(response, service, path);
  return parseJson(bytes, path, "malformed_report");
}

/** The most characters of one entry of a streamed response. */
const maxEntryLength = 32 * 1024 * 1024;

/** Streams the entries of a large response. @throws ScanError `source_unreachable`, `malformed_report` while iterating */
async function* openEntries(service: RemoteService, path: string, asking: CallOptions = {}): AsyncGenerator<JsonEntry> {
  const response = await call(service, path, asking);
  checkStatus(response, service, path);
  yield* readJsonEntries(bodyOf(response, service), { what: path, maxEntryLength });
}

async function* bodyOf({ body }: Response, service: RemoteService): Bytes {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throwBrokenOff(service, cause);
  }
}

function throwBrokenOff(service: RemoteService, cause: unknown): never {
  throw new ScanError(
    "source_unreachable",
    `the service at ${nameOf(service)} closed the connection before the end of its response`,
    { cause },
  );
}

/** How long to wait for the beginning of a response: to a query, and to indexing an image. */
const answerMs = 30_000;
const indexingMs = 300_000;

function call(service: RemoteService, path: string, asking: CallOptions): Promise<Response> {
  const { accept = "application/json", body, method, signal, patienceMs = answerMs } = asking;
  return callService(service, path, {
    accept,
    patienceMs,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(method !== undefined && { method }),
    ...(signal !== undefined && { signal }),
  });
}

function checkStatus({ ok, status }: Response, service: RemoteService, path: string): void {
  if (!ok) throw new ScanError("source_unreachable", `the service at ${nameOf(service)} answered ${status} to ${path}`);
}

function nameOf({ addresses }: RemoteService): string {
  return addresses.join(" or ");
}
