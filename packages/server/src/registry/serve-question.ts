import type { MessagePort } from "node:worker_threads";
import { allEcosystems, createEngine } from "@plimsoll/core";
import type { Json } from "@plimsoll/core/report";
import { jsonPieces } from "@plimsoll/http";
import { createIndexService, nodeReaders } from "@plimsoll/indexer";
import { createMatchService, type IndexReports } from "@plimsoll/matcher";
import { noImageScanner, RegistryError, type ReportWriter } from "@plimsoll/registry";
import { type AnswerDeps, answerImageQuestion } from "@plimsoll/registry-api";
import { pino } from "pino";
import { dayMs } from "../cli/database-age.ts";
import { UsageError } from "../cli/exit-code.ts";
import { productVersion } from "../cli/product-version.ts";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { openDatabase } from "../serve/open-database.ts";
import { type InstallationStore, scannerOf, watchOutages } from "../serve/open-installation.ts";
import { findRemote } from "../serve/open-services.ts";
import { remoteIndexReports } from "../serve/remote-services.ts";
import type { AnswerPart, ThreadOrder, ThreadParts } from "./large-images.ts";
import { openRegistryStorage } from "./open-registry.ts";
import { documentMakers, documentParts } from "./write-document.ts";

/** The length of the parts. They are transferred and not copied. */
const partBytes = 256 * 1024;

/** The levels of an answer at which lists and maps may be long. */
const levels = 4;

/** Answers questions about images, in a thread of its own. */
export async function serveQuestions(port: MessagePort, { settings }: ThreadParts): Promise<void> {
  const keptFindings = {};
  let parts: AsyncGenerator<Uint8Array<ArrayBuffer>> | undefined;
  port.on("message", (message: ThreadOrder | "next") => {
    if (message !== "next") {
      parts = partsOf(settings, { ...message, keptFindings });
      return;
    }
    parts?.next().then(
      ({ value: bytes = new Uint8Array() }) => send(port, { bytes }),
      (error: Error) => send(port, { failure: failureOf(error) }),
    );
  });
}

function send(port: MessagePort, part: AnswerPart): void {
  port.postMessage(part, "bytes" in part ? [part.bytes.buffer] : []);
}

function failureOf(error: Error): Extract<AnswerPart, { readonly failure: object }>["failure"] {
  const { message } = error;
  return error instanceof RegistryError ? { code: error.code, message } : { message: error.stack ?? message };
}

async function* partsOf(
  settings: ServiceSettings,
  { question, now, keptFindings }: ThreadOrder & Pick<AnswerDeps, "keptFindings">,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  await using resources = new AsyncDisposableStack();
  const deps = await openAnswerDeps(settings, now, resources);
  const answer = await answerImageQuestion({ ...deps, keptFindings }, question, new AbortController().signal);
  let texts: string[] = [];
  let length = 0;
  for await (const piece of jsonPieces(answer, levels)) {
    texts.push(piece);
    length += piece.length;
    if (length < partBytes) continue;
    yield bytesOf(texts);
    [texts, length] = [[], 0];
  }
  if (texts.length > 0) yield bytesOf(texts);
}

/** In a buffer of its own, since it is transferred. */
function bytesOf(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(texts.join(""));
}

/** The most connections to PostgreSQL: the statements of one question come one after the other. */
const databasePoolSize = 2;

type ScannerParts = Parameters<typeof scannerOf>[0];

/**
 * Opens what is needed to answer questions about images, apart from the services of the process: it reads the same database and the same blobs, and
 * does no background work. Disposing `resources` closes it.
 * @param now the time of the request, in epoch milliseconds
 */
async function openAnswerDeps(
  given: ServiceSettings,
  now: number,
  resources: AsyncDisposableStack,
): Promise<AnswerDeps> {
  const settings = { ...given, databasePoolSize };
  if (settings.registry === undefined) throw new UsageError("this process has no registry");
  const logger = pino({ level: "silent" }); // the other thread logs outages
  // the process has migrated it, and a newer node may have done so again
  const store: InstallationStore = resources.use(await openDatabase(settings, { migrations: [], logger }));
  const engine = createEngine({ ecosystems: allEcosystems, limits: settings.limits });
  const { blobs, layers } = await openRegistryStorage(settings.registry, { store });
  const clock = { now: () => now };
  const parts = { settings, store, engine, layers, clock, outages: watchOutages(logger, settings) };
  const imageScanner = scannerOf({ ...parts, services: openServices(parts, resources) }) ?? noImageScanner;
  return { db: store.db, now, blobs, reportWriter: reportWriterFor(settings), imageScanner };
}

/** The services of the scanner that run in this process, without their background work. */
function openServices(
  parts: Omit<ScannerParts, "services">,
  resources: AsyncDisposableStack,
): ScannerParts["services"] {
  const { settings, store, engine, clock } = parts;
  const indexer = hasMode(settings, "indexer")
    ? resources.use(createIndexService({ store, engine, readers: nodeReaders(engine), fetchLayer: noLayers }))
    : undefined;
  const service = findRemote(parts, "indexerAddress");
  const reports: IndexReports | undefined = indexer
    ? { find: (digest) => indexer.findReport(digest), relatedKeys: (keys) => indexer.relatedKeys(keys) }
    : service && remoteIndexReports(service);
  const outdatedBefore = () => clock.now() - settings.feedMaxAgeDays * dayMs;
  const matcher =
    reports && hasMode(settings, "matcher")
      ? createMatchService({ store, engine, reports, outdatedBefore })
      : undefined;
  return { indexer: indexer && { indexer }, matcher: matcher && { matcher } };
}

/** Questions are about images that are indexed. */
function noLayers(): never {
  throw new Error("this thread fetches no layers");
}

function reportWriterFor(settings: ServiceSettings): ReportWriter {
  const stamp = { ...documentMakers(settings), toolVersion: productVersion };
  return {
    write: async ({ report, bill, signal: _, ...about }) =>
      documentParts({ report: report as unknown as Json, bill }, { ...about, ...stamp }),
  };
}
