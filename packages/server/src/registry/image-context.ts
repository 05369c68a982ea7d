import { allEcosystems, createEngine } from "@plimsoll/core";
import type { Json } from "@plimsoll/core/report";
import { createIndexService, nodeReaders } from "@plimsoll/indexer";
import { createMatchService, type IndexReports } from "@plimsoll/matcher";
import type { ReportWriter } from "@plimsoll/registry";
import type { AnswerContext } from "@plimsoll/registry-api";
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
import { openRegistryStorage } from "./open-registry.ts";
import { documentParts } from "./write-document.ts";

/** The most connections to PostgreSQL: the statements of one question come one after the other. */
const databasePoolSize = 2;

type ScannerParts = Parameters<typeof scannerOf>[0];

/**
 * Opens what is needed to answer questions about images, apart from the services of the process: it reads the same database and the same blobs, and
 * does no background work. Disposing `resources` closes it.
 * @param now the time of the request, in epoch milliseconds
 */
export async function openImageContext(
  given: ServiceSettings,
  now: number,
  resources: AsyncDisposableStack,
): Promise<AnswerContext> {
  const settings = { ...given, databasePoolSize };
  if (settings.registry === undefined) throw new UsageError("this process has no registry");
  const logger = pino({ level: "silent" }); // the other thread logs outages
  // the process has migrated it, and a newer node may have done so again
  const store: InstallationStore = resources.use(await openDatabase(settings, { migrations: [], logger }));
  const engine = createEngine({ ecosystems: allEcosystems, limits: settings.limits });
  const { blobs, layers } = await openRegistryStorage(settings.registry, { store });
  const clock = { now: () => now };
  const parts = { settings, store, engine, layers, clock, outages: watchOutages(logger, settings) };
  const imageScanner = scannerOf({ ...parts, services: openServices(parts, resources) });
  return { db: store.db, now, blobs, reportWriter, imageScanner };
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

const reportWriter: ReportWriter = {
  write: async ({ report, signal: _, ...about }) =>
    documentParts(report as unknown as Json, { ...about, toolVersion: productVersion }),
};
