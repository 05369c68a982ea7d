import {
  type Engine,
  type Explanation,
  explainReport,
  type IndexReport,
  type Question,
  type VulnerabilityReport,
} from "@plimsoll/core";
import {
  type ImageSource,
  type IndexedImage,
  type IndexerTables,
  type IndexOptions,
  indexerMigrations,
  type LayerBudget,
  memoryLayerCache,
  openLayerPool,
  type ProxySettings,
  storedLayers,
} from "@plimsoll/indexer";
import {
  advisoriesOf,
  exportToFile,
  type FeedStatus,
  type ImportResult,
  importFromFile,
  listFeeds,
  type MatcherTables,
  matcherMigrations,
  matchManifest,
  type UpdateResult,
} from "@plimsoll/matcher";
import { openStore, type Store } from "@plimsoll/store";
import { systemClock } from "./adapters/system-clock.ts";
import { type DatabaseStatus, databaseStatus } from "./database-status.ts";
import { defaultEngine } from "./default-engine.ts";
import { type HostIndexer, hostIndexer } from "./host-indexer.ts";
import { onlyImage } from "./only-image.ts";
import { type ScanReport, scanReport } from "./scan-report.ts";
import { type FeedWorkshop, type UpdateFeedsOptions, updateFeeds } from "./update-feeds.ts";

/** What a scanner is opened with. */
export interface ScannerOptions {
  /** The database: a file, `:memory:` or `postgres://…`. A missing file is created. */
  readonly db: string;
  /** Changes nothing in the database, which must be there; findings of layers are then remembered in memory only. */
  readonly readOnly?: boolean;
  /** Which ecosystems are looked for and judged; by default all that come with the engine. */
  readonly engine?: Engine;
  /**
   * What reading one layer may cost, where it differs from {@link defaultLayerBudget}; a layer that costs more ends in ScanError
   * `layer_too_costly`. It holds for engines whose detectors threads can have: see `EngineOptions.module`.
   */
  readonly layerBudget?: Partial<LayerBudget>;
  /** Starts the first thread for layers beside opening the database: for who indexes right away. */
  readonly indexesAtOnce?: boolean;
  /** Never fetch a feed. */
  readonly offline?: boolean;
  /** What feeds are fetched through. */
  readonly proxy?: ProxySettings;
  /** Epoch milliseconds. */
  readonly clock?: { now(): number };
}

/** Options of matching. */
export interface MatchOptions {
  /** Epoch milliseconds: judge by what was known then, as far as the database remembers. */
  readonly asOf?: number;
  /** Epoch milliseconds: feeds that were last checked before are `outdated` in the report. */
  readonly outdatedBefore?: number;
  readonly signal?: AbortSignal;
}

/** Options of scanning. */
export interface ScanOptions extends IndexOptions, MatchOptions {}

/** Scans images: an indexer and a matcher on one database. Close it, or declare it with `await using`. */
export interface Scanner extends AsyncDisposable {
  readonly engine: Engine;
  /** Scans the one image of a source. @throws ScanError, `no_such_platform` when the source holds several images */
  scan(source: ImageSource, options?: ScanOptions): Promise<ScanReport>;
  /** Scans every image of a source. */
  scanAll(source: ImageSource, options?: ScanOptions): AsyncIterable<ScanReport>;
  /** Says what is in the one image of a source. @throws ScanError as {@link scan} */
  index(source: ImageSource, options?: IndexOptions): Promise<IndexedImage>;
  /** Says what is in every image of a source. */
  indexAll(source: ImageSource, options?: IndexOptions): AsyncIterable<IndexedImage>;
  /** Says what is wrong with an indexed image. */
  match(report: IndexReport, options?: MatchOptions): Promise<VulnerabilityReport>;
  /** Says why a vulnerability applies to an indexed image, or why not. */
  explain(report: IndexReport, question: Question): Promise<Explanation>;
  /** Brings feeds up to date. A feed that fails keeps its data; that is a result, not an error. */
  updateFeeds(options?: UpdateFeedsOptions): Promise<readonly UpdateResult[]>;
  /** The loaded feeds of advisories. */
  feeds(): Promise<readonly FeedStatus[]>;
  /** The loaded feeds of every kind. */
  databaseStatus(): Promise<DatabaseStatus>;
  /** Writes all advisories to a file for `importDatabase` on another machine: zstd when it ends in `.zst`, else gzip. */
  exportDatabase(file: string, signal?: AbortSignal): Promise<void>;
  /** Replaces the feeds that the file holds, all or nothing. */
  importDatabase(file: string): Promise<readonly ImportResult[]>;
  close(): Promise<void>;
}

/**
 * Opens a scanner on a database.
 * @throws StoreError when the database cannot be opened
 */
export async function openScanner(options: ScannerOptions): Promise<Scanner> {
  const { engine = defaultEngine(), clock = systemClock, offline = false, proxy } = options;
  const { db, readOnly = false, layerBudget = {}, indexesAtOnce = false } = options;
  await using resources = new AsyncDisposableStack();
  const pool = resources.use(openLayerPool({ engine, budget: layerBudget }));
  if (indexesAtOnce) pool.prepare();
  const migrations = [indexerMigrations, matcherMigrations];
  const store = await openStore<ScannerTables>(db, { migrations, readOnly });
  const cache = readOnly ? memoryLayerCache() : storedLayers(store, () => clock.now());
  const indexer = hostIndexer({ engine, cache, pool });
  resources.move();
  return scannerOn(store, indexer, { engine, clock, offline, ...(proxy === undefined ? {} : { proxy }) });
}

type ScannerTables = IndexerTables & MatcherTables;

function scannerOn(store: Store<ScannerTables>, indexer: HostIndexer, parts: Omit<FeedWorkshop, "store">): Scanner {
  const { engine } = parts;
  const match: Scanner["match"] = (report, options = {}) => matchManifest(report, { engine, store, ...options });
  async function* scanAll(source: ImageSource, options: ScanOptions = {}): AsyncIterable<ScanReport> {
    for await (const image of indexer.index(source, options)) {
      yield scanReport(image, await match(image.report, options));
    }
  }
  const close = async () => {
    await indexer[Symbol.asyncDispose]();
    await store.close();
  };
  return {
    engine,
    scan: (source, options) => onlyImage(scanAll(source, options), source),
    scanAll,
    index: (source, options) => onlyImage(indexer.index(source, options), source),
    indexAll: (source, options) => indexer.index(source, options),
    match,
    explain: (report, question) => explainReport(engine, report, advisoriesOf(store), question),
    updateFeeds: (options = {}) => updateFeeds({ store, ...parts }, options),
    feeds: () => listFeeds(store, { kind: "vulnerability" }),
    databaseStatus: () => databaseStatus(store),
    exportDatabase: (file, signal) => exportToFile(store, file, signal),
    importDatabase: (file) => importFromFile(file, { store, clock: parts.clock }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
