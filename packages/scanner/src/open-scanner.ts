import { availableParallelism } from "node:os";
import {
  allEcosystems,
  createEngine,
  type Engine,
  type Explanation,
  type ExplainQuestion,
  explain,
  type IndexReport,
  matchReport,
  type VulnerabilityReport,
} from "@plimsoll/core";
import {
  createIndexer,
  forgetOldLayers,
  type ImageSource,
  type IndexedImage,
  indexerMigrations,
  type IndexerTables,
  type IndexOptions,
  type LayerCache,
  memoryLayerCache,
  nodeDecompressors,
  nodeHasher,
  storedLayers,
} from "@plimsoll/indexer";
import { advisoriesOf, matcherMigrations, type MatcherTables } from "@plimsoll/matcher";
import { openStore, type Store } from "@plimsoll/store";
import { systemClock } from "./adapters/system-clock.ts";
import { onlyImage } from "./only-image.ts";
import { type ScanReport, scanReport } from "./scan-report.ts";
import { type DatabaseStatus, databaseStatus } from "./database-status.ts";
import { type FeedUpdate, type UpdateFeedsOptions, updateFeeds } from "./update-feeds.ts";
import { exportToFile, importFromFile } from "./adapters/database-file.ts";

/** What a scanner is opened with. */
export interface ScannerOptions {
  /** The database: a file, `:memory:` or `postgres://…`. A missing file is created. */
  readonly db: string;
  /** Which ecosystems are looked for and judged; by default all that come with the engine. */
  readonly engine?: Engine;
  /** Never use the network. */
  readonly offline?: boolean;
  readonly clock?: { now(): number };
}

/** Options of scanning. */
export interface ScanOptions extends IndexOptions {
  /** Epoch milliseconds: judge by what was known then, as far as the database remembers. */
  readonly asOf?: number;
}

/** Scans images: an indexer and a matcher on one database. Close it, or declare it with `await using`. */
export interface Scanner extends AsyncDisposable {
  readonly engine: Engine;
  /** Scans the one image of a source. @throws ScanError `no_such_platform` when the source holds several */
  scan(source: ImageSource, options?: ScanOptions): Promise<ScanReport>;
  /** Scans every image of a source. */
  scanAll(source: ImageSource, options?: ScanOptions): AsyncIterable<ScanReport>;
  /** Says what is in the one image of a source. */
  index(source: ImageSource, options?: IndexOptions): Promise<IndexedImage>;
  indexAll(source: ImageSource, options?: IndexOptions): AsyncIterable<IndexedImage>;
  /** Says what is wrong with an indexed image. */
  match(report: IndexReport, options?: MatchOptions): Promise<VulnerabilityReport>;
  /** Says why a vulnerability applies to an indexed image, or why not. */
  explain(report: IndexReport, question: ExplainQuestion): Promise<Explanation>;
  /** Brings feeds up to date. A feed that fails keeps its data and is reported, not thrown. */
  updateFeeds(options?: UpdateFeedsOptions): Promise<readonly FeedUpdate[]>;
  databaseStatus(): Promise<DatabaseStatus>;
  /** Writes all advisories to a file for {@link importDatabase} on another machine. */
  exportDatabase(file: string): Promise<void>;
  /** Replaces the feeds that the file holds, all or nothing. */
  importDatabase(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Options of matching. */
export interface MatchOptions {
  readonly asOf?: number;
  readonly signal?: AbortSignal;
}

/** Layers whose findings a database remembers. */
const layersKept = 10_000;

/**
 * Opens a scanner on a database.
 * @throws StoreError when the database cannot be opened
 */
export async function openScanner(options: ScannerOptions): Promise<Scanner> {
  const { engine = createEngine({ ecosystems: allEcosystems }), clock = systemClock, offline = false } = options;
  const store = await openDatabase(options.db);
  const indexer = createIndexer({
    engine,
    cache: storedLayers(store, () => clock.now()),
    decompressors: nodeDecompressors,
    createHasher: nodeHasher,
    layersAtOnce: availableParallelism(),
  });
  const match = (report: IndexReport, { asOf, signal }: MatchOptions = {}) =>
    matchReport(engine, report, advisoriesOf(store, asOf === undefined ? {} : { asOf }), signal === undefined ? {} : { signal });
  async function* scanAll(source: ImageSource, scanOptions: ScanOptions = {}): AsyncIterable<ScanReport> {
    for await (const image of indexer.index(source, scanOptions)) {
      yield scanReport(image, await match(image.report, scanOptions));
    }
  }
  const close = async () => {
    await forgetOldLayers(store, layersKept);
    await store.close();
  };
  return {
    engine,
    scan: (source, scanOptions) => onlyImage(scanAll(source, scanOptions), source),
    scanAll,
    index: (source, indexOptions) => onlyImage(indexer.index(source, indexOptions), source),
    indexAll: (source, indexOptions) => indexer.index(source, indexOptions),
    match,
    explain: (report, question) => explain(engine, report, advisoriesOf(store), question),
    updateFeeds: (updateOptions = {}) => updateFeeds({ store, engine, clock, offline }, updateOptions),
    databaseStatus: () => databaseStatus(store),
    exportDatabase: (file) => exportToFile(store, file),
    importDatabase: (file) => importFromFile(store, file),
    close,
    [Symbol.asyncDispose]: close,
  };
}
