import { type IndexReport, ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import {
  type MatchFacts,
  type MatchKey,
  toCoveredIndexReportJsonInSlices,
  toManifestJson,
} from "@plimsoll/core/internal";
import { type Json, parseIndexReportJson, type VulnerabilityReportJson } from "@plimsoll/core/report";
import type { IndexReports } from "@plimsoll/matcher";
import { beforeAllOperations, type UpdateSource } from "@plimsoll/notifier";
import type { FoundImages } from "@plimsoll/registry";
import {
  coveredIndexReportType,
  coveredReportType,
  describedIndexReportType,
  relatedDiffType,
} from "@plimsoll/scanner-api";
import { cooperativeYield } from "@plimsoll/store";
import { basicMatcher, type IndexSource, type ReportSource, sharedIndexer } from "../registry/image-scanner.ts";
import type { RemoteService } from "./call-service.ts";
import type { JsonEntry } from "./json-entries.ts";
import { lowerIfDebian, mapEach } from "./reference-bodies.ts";
import { formsOf } from "./remote-affected.ts";
import { type DocumentRequest, fetchDocument, fetchJson, openEntries } from "./service-documents.ts";

/** Index reports of a remote indexer, for the matcher. */
export function remoteIndexReports(indexer: RemoteService): IndexReports {
  return {
    async find(digest, options = {}) {
      return findIndexReport(indexer, digest, { ...options, own: coveredIndexReportType });
    },
    async relatedKeys(keys) {
      const body = keys.map(({ ecosystem, name }) => ({ ecosystem, name }));
      const found = await fetchExtra(indexer, { path: "/indexer/api/v1/internal/related_keys", forms: [{ body }] });
      return found === undefined ? keys : (found as unknown as readonly MatchKey[]); // the schema of this internal operation
    },
  };
}

async function findIndexReport(
  indexer: RemoteService,
  digest: Digest,
  options: Pick<DocumentRequest, "own" | "signal">,
): Promise<IndexReport | undefined> {
  const json = await fetchJson(indexer, { ...options, path: `/indexer/api/v1/index_report/${digest}` });
  return json === undefined ? undefined : parseIndexReportJson(json);
}

/** Coverage and enrichments of a remote matcher; none from a matcher that does not have these operations. */
export function remoteFacts(matcher: RemoteService): MatchFacts {
  const askMatcher = async (name: string, body: Json) =>
    (await fetchExtra(matcher, { path: `/matcher/api/v1/internal/${name}`, forms: [{ body }] })) ?? [];
  return {
    coverage: async (ecosystems) => (await askMatcher("feed_coverage", ecosystems)) as never, // as we declare it
    findEnrichments: async (enricher, tags) => (await askMatcher("enrichment_record", { enricher, tags })) as never, // likewise
  };
}

/**
 * The update operations of a remote matcher. A diff is streamed: read `added` first, and each list once. A matcher that refuses the time before
 * all operations, which the contract does not have, has nothing to compare with it. Severities are as the tracker says, in each profile.
 */
export function remoteUpdates(matcher: RemoteService): UpdateSource {
  const pathOf = (name: string, query: Readonly<Record<string, string>>) =>
    `/matcher/api/v1/internal/${name}?${new URLSearchParams(query)}`;
  return {
    updateOperations: async (query) => (await fetchJson(matcher, { path: pathOf("update_operation", query) })) as never, // as the contract says
    async updateDiff({ prev, cur }) {
      const answers = prev === beforeAllOperations ? [400] : [];
      const request = { path: pathOf("update_diff", { prev, cur }), own: relatedDiffType, answers };
      let isRaised = false;
      const onAnswer = ({ isOwn }: { readonly isOwn: boolean }) => {
        isRaised = !isOwn && matcher.profile === "reference";
      };
      const open = (onSection: (name: string) => void) => openEntries(matcher, request, { onSection, onAnswer });
      const lists = new EntryLists(open, ["added", "removed"]);
      const read = (name: string) =>
        mapEach(lists.read(name), (each) => (isRaised ? lowerIfDebian(each as never) : each)) as never; // likewise
      return { added: read("added"), removed: read("removed") };
    },
  };
}

/** A remote indexer, for the registry. */
export function remoteIndexer(indexer: RemoteService): IndexSource {
  const path = "/indexer/api/v1/index_report";
  return {
    ...sharedIndexer,
    async state() {
      const answer = (await fetchJson(indexer, { path: "/indexer/api/v1/index_state" })) as
        | { readonly state?: string }
        | undefined;
      return answer?.state ?? "";
    },
    async submit(manifest, options) {
      const forms = formsOf(indexer, "manifest", toManifestJson(manifest));
      const request = { ...options, path, forms, answers: imageRefusals, patienceMs: indexingMs };
      const answer = await fetchDocument(indexer, request);
      if (answer.kind === "none" && imageRefusals.includes(answer.status)) throw refusedImage(answer);
    },
    findReport: (digest, form) =>
      findIndexReport(indexer, digest, {
        own: form === "described" ? describedIndexReportType : coveredIndexReportType,
      }),
    async findImages(question, options) {
      const body = question as unknown as Json;
      const found = await fetchExtra(indexer, {
        ...options,
        path: "/indexer/api/v1/internal/find_images",
        forms: [{ body }],
      });
      return found as unknown as FoundImages | undefined; // the schema of this internal operation
    },
    async deleteMany(digests, options) {
      await fetchJson(indexer, { ...options, path, method: "DELETE", forms: formsOf(indexer, "bulk_delete", digests) });
    },
  };
}

/** How long to wait until an image is indexed. */
const indexingMs = 300_000;

/** The statuses with which an indexer refuses an image itself: another attempt would be refused too. */
const imageRefusals: readonly number[] = [400, 413, 422];

function refusedImage({ status, reason }: { readonly status: number; readonly reason: string }): ScanError {
  return new ScanError("malformed_manifest", `the indexer refused the image: ${reason || `it answered ${status}`}`);
}

/** A remote matcher, for the registry. */
export function remoteReports(matcher: RemoteService): ReportSource {
  return {
    ...basicMatcher,
    async report(digest, options) {
      const path = `/matcher/api/v1/vulnerability_report/${digest}`;
      const answer = await fetchDocument(matcher, { ...options, path, own: coveredReportType });
      if (answer.kind === "document") return answer.json as unknown as VulnerabilityReportJson; // as the contract says
      if (answer.status !== 404) return undefined;
      throw new ScanError("not_found", `the matcher has no report of ${digest}`);
    },
    async match(index, options) {
      const body = (await toCoveredIndexReportJsonInSlices(index, cooperativeYield())) as unknown as Json;
      const path = "/matcher/api/v1/internal/index_report";
      const json = await fetchExtra(matcher, { ...options, path, own: coveredReportType, forms: [{ body }] });
      return json as unknown as VulnerabilityReportJson | undefined; // as we declare it
    },
  };
}

/** The statuses of a service that does not have an operation, besides 404. */
const notOffered: readonly number[] = [405, 415, 501];

/** Asks for something that the contract does not have; undefined from a service that does not offer it. */
function fetchExtra(service: RemoteService, request: DocumentRequest): Promise<Json | undefined> {
  return fetchJson(service, { ...request, answers: notOffered });
}

/** Opens a document with lists. `onSection` is called for each list when it begins, even if it is empty. */
type OpenEntries = (onSection: (name: string) => void) => AsyncGenerator<JsonEntry>;

/**
 * The lists of a streamed document. Read each list once. If they are in another order in the document, it is opened again for those that were
 * passed.
 */
export class EntryLists {
  readonly #open: OpenEntries;
  readonly #names: readonly string[];
  readonly #begun = new Set<string>();
  readonly #passed = new Set<string>();
  #entries: AsyncGenerator<JsonEntry>;
  /** The first entry of the next list, found at the end of the list before. */
  #ahead: JsonEntry | undefined;

  /** @param names the lists to read; others are skipped */
  constructor(open: OpenEntries, names: readonly string[]) {
    this.#open = open;
    this.#names = names;
    this.#entries = this.#opened();
  }

  /** The items of a list; none if it is null. A caller that stops early closes the document. */
  async *read(name: string): AsyncGenerator<Json> {
    if (this.#passed.has(name)) await this.#reopen();
    let isStopped = true;
    try {
      for (let entry = await this.#next(); entry !== undefined; entry = await this.#next()) {
        if (entry.section === name) {
          if (entry.value !== null) yield entry.value;
        } else if (this.#names.includes(entry.section) && this.#endsBefore(name, entry)) {
          break;
        }
      }
      isStopped = false;
    } finally {
      if (isStopped) await this.#entries.return(undefined);
    }
  }

  /** Whether a list has ended, because it had begun before another one. */
  #endsBefore(name: string, entry: JsonEntry): boolean {
    if (!this.#begun.has(name)) {
      this.#passed.add(entry.section);
      return false;
    }
    this.#ahead = entry;
    return true;
  }

  async #reopen(): Promise<void> {
    await this.#entries.return(undefined);
    this.#ahead = undefined;
    this.#passed.clear();
    this.#begun.clear();
    this.#entries = this.#opened();
  }

  #opened(): AsyncGenerator<JsonEntry> {
    return this.#open((name) => void this.#begun.add(name));
  }

  async #next(): Promise<JsonEntry | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined) return ahead;
    const { done, value } = await this.#entries.next();
    if (done) return undefined;
    this.#begun.add(value.section);
    return value;
  }
}
