import { type Engine, type IndexReport, onlyImage, ScanError, type VulnerabilityReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { Explanation } from "@plimsoll/core/internal";
import { explainReport } from "@plimsoll/core/match";
import {
  type ImageSource,
  type IndexedImage,
  type IndexerTables,
  type IndexOptions,
  indexerMigrations,
  type LayerBudget,
  listEcosystems,
  memoryLayerCache,
  openJavaIndex,
  openLayerPool,
  putEcosystems,
  rememberImage,
  storedLayers,
} from "@plimsoll/indexer";
import {
  advisoriesOf,
  enrichmentsOf,
  exportToFile,
  type FeedStatus,
  type ImportEvent,
  type ImportResult,
  importFromFile,
  listFeeds,
  type MatcherTables,
  matcherMigrations,
  matchManifest,
  type UpdateResult,
} from "@plimsoll/matcher";
import type { ProxySettings } from "@plimsoll/outbound";
import { openStore, type Store } from "@plimsoll/store";
import { hostPlatform, systemClock } from "./adapters/host-platform.ts";
import { type AffectedImages, findAffectedImages } from "./affected-images.ts";
import { type PulledDatabase, pullDatabase, pushDatabase, type RegistryUse } from "./database-artifact.ts";
import { type DatabaseStatus, databaseStatus } from "./database-status.ts";
import { defaultEngine, type HostIndexer, hostIndexer } from "./host-indexer.ts";
import { type ScanReport, scanReport } from "./scan-report.ts";
import { type FeedDeps, type UpdateFeedsOptions, updateFeeds } from "./update-feeds.ts";

/** Options of `openScanner`. */
export interface ScannerOptions {
  /** The database: a file, `:memory:` or `postgres://…`. If the file does not exist, it is created. */
  readonly db: string;
  /** Does not write to the database, which must exist; results of layers are then cached in memory only. */
  readonly readOnly?: boolean;
  /** Defines the supported ecosystems; by default all of `@plimsoll/core`. */
  readonly engine?: Engine;
  /**
   * The file of an index of published Java archives (`updateJavaIndex`, `buildJavaIndex`), by which archives are identified that do not
   * describe themselves. Only without `engine`: another engine has its own look-ups.
   */
  readonly javaIndex?: string;
  /**
   * Reports list the files of packages (`IndexReport.files`). Only without `engine`. Results of layers are stored apart from those without files, and are
   * much larger: a database in memory may be better for it.
   */
  readonly files?: boolean;
  /**
   * Limits for reading one layer that replace those of {@link defaultLayerBudget}; a layer that exceeds one fails with ScanError
   * `layer_too_costly`. They apply only to engines whose detectors can be loaded in threads: see `EngineOptions.module`.
   */
  readonly layerBudget?: Partial<LayerBudget>;
  /** Starts the first thread for layers while the database is opened: for callers that index immediately. */
  readonly indexesAtOnce?: boolean;
  /** The scanner only imports, exports or updates data and looks nothing up: takes less memory. */
  readonly movesData?: boolean;
  /** Never fetches a feed. */
  readonly offline?: boolean;
  /** The proxy for feeds. */
  readonly proxy?: ProxySettings;
  /** Returns epoch milliseconds; by default the system clock. */
  readonly clock?: { now(): number };
}

/** Options of matching. */
export interface MatchOptions {
  /** Epoch milliseconds: match with the advisories of that time; ScanError `before_history` if the database no longer has them. */
  readonly asOf?: number;
  /** Epoch milliseconds; feeds that were last checked earlier are `outdated` in the report. */
  readonly outdatedBefore?: number;
  /** Accepts a database without any feed of advisories: the report then shows every ecosystem as not covered. */
  readonly allowsNoAdvisories?: boolean;
  readonly signal?: AbortSignal;
}

/** Options of scanning. */
export interface ScanOptions extends IndexOptions, MatchOptions {}

/**
 * Scans images: an indexer and a matcher on one database. Close it, or declare it with `await using`; later calls throw ScanError
 * `closed`.
 */
export interface Scanner extends AsyncDisposable {
  readonly engine: Engine;
  /**
   * Scans the only image of a source; for a multi-platform image, the one for this machine's architecture unless the options name
   * another platform.
   * @throws ScanError, `no_such_platform` if the source has several images, `no_advisories` if no feed is loaded
   */
  scan(source: ImageSource, options?: ScanOptions): Promise<ScanReport>;
  /** Scans every image of a source, for every platform unless the options name one. @throws ScanError as in {@link scan} */
  scanAll(source: ImageSource, options?: ScanOptions): AsyncIterable<ScanReport>;
  /** Indexes the only image of a source, selected as by {@link scan}. @throws ScanError */
  index(source: ImageSource, options?: IndexOptions): Promise<IndexedImage>;
  /** Indexes every image of a source, selected as by {@link scanAll}. @throws ScanError */
  indexAll(source: ImageSource, options?: IndexOptions): AsyncIterable<IndexedImage>;
  /** Finds the vulnerabilities of an indexed image. @throws ScanError `no_advisories` if no feed is loaded */
  match(report: IndexReport, options?: MatchOptions): Promise<VulnerabilityReport>;
  /** Explains why a vulnerability applies to an indexed image, or why not. @throws ScanError `before_history` */
  explain(
    report: IndexReport,
    question: Explanation["question"],
    options?: Pick<MatchOptions, "asOf">,
  ): Promise<Explanation>;
  /**
   * Finds the images with a vulnerability among those that were scanned or indexed with this database, also by a service. Lists all names
   * under which an image was scanned. A name stands for the image that it had at its last scan; the database keeps the 1,000 names that
   * were scanned most recently.
   * @param vulnerability any of its names: `CVE-2021-44228`, `GHSA-jfh8-c2jp-5v3q`
   */
  affected(vulnerability: string, options?: Pick<MatchOptions, "outdatedBefore" | "signal">): Promise<AffectedImages>;
  /**
   * Updates feeds: those that the options name, else those that the indexed images need, those that are loaded, and all facts about
   * vulnerabilities. A feed whose update fails keeps its data; the failure is returned as a result, not thrown.
   * @throws ScanError `not_found` for a name in `only` that no feed of the engine has
   */
  updateFeeds(options?: UpdateFeedsOptions): Promise<readonly UpdateResult[]>;
  /** The loaded feeds of advisories. */
  feeds(): Promise<readonly FeedStatus[]>;
  /** The loaded feeds of every kind. */
  databaseStatus(): Promise<DatabaseStatus>;
  /** Writes all advisories to a file for `importDatabase` on another machine: zstd if its name ends in `.zst`, else gzip. */
  exportDatabase(file: string, signal?: AbortSignal): Promise<void>;
  /** Replaces the feeds that the file contains, all or none. @throws ScanError `aborted` */
  importDatabase(
    file: string,
    signal?: AbortSignal,
    onEvent?: (event: ImportEvent) => void,
  ): Promise<readonly ImportResult[]>;
  /**
   * Pushes all advisories to a registry, for `pullDatabase` on other machines.
   * @param reference with a tag: `registry.example.com/team/advisories:latest`
   * @returns the digest of the artifact
   * @throws ScanError `unauthorized`, `source_unreachable` …
   */
  pushDatabase(reference: string, using?: RegistryUse): Promise<Digest>;
  /**
   * Replaces the feeds that an artifact of `pushDatabase` contains, all or none. A reference with a digest pulls exactly that artifact.
   * @throws ScanError `not_found`, `unauthorized`, `digest_mismatch`, `malformed_image`, `aborted` …
   */
  pullDatabase(reference: string, using?: RegistryUse, onEvent?: (event: ImportEvent) => void): Promise<PulledDatabase>;
  close(): Promise<void>;
}

/**
 * Opens a scanner on a database.
 * @throws StoreError if the database cannot be opened; ScanError `feed_unreachable`, `malformed_feed` if the Java index cannot be;
 * TypeError for options of engines beside an engine
 * @example
 * await using scanner = await openScanner({ db: "plimsoll.db" });
 */
export async function openScanner(options: ScannerOptions): Promise<Scanner> {
  const { clock = systemClock, offline = false, proxy, javaIndex } = options;
  const { db, files, readOnly = false, layerBudget = {}, indexesAtOnce = false, movesData = false } = options;
  await using resources = new AsyncDisposableStack();
  refuseOptionsOfEngine(options);
  const java = javaIndex === undefined ? undefined : openJavaIndex(javaIndex);
  if (java !== undefined) resources.use(java);
  const engine = options.engine ?? defaultEngine({ files, lookups: java && { java } });
  const pool = resources.use(openLayerPool({ engine, budget: layerBudget }));
  if (indexesAtOnce) pool.prepare();
  const migrations = [indexerMigrations, matcherMigrations];
  const store = await openStore<ScannerTables>(db, { migrations, readOnly, isMapped: !movesData });
  const cache = readOnly ? memoryLayerCache() : storedLayers(store, () => clock.now());
  const indexer = hostIndexer({ engine, cache, pool });
  const owned = resources.move();
  const downloads = isFile(db) ? { downloads: `${db}.downloads` } : {};
  const parts = { engine, clock, offline, ...downloads, proxy };
  return scannerOn({ store, indexer, readOnly, close: () => owned.disposeAsync(), ...parts });
}

const optionsOfEngine = {
  files: "createEngine({ files: true, … })",
  javaIndex: "createEngine({ lookups: { java: openJavaIndex(FILE) }, … }), with openJavaIndex of @plimsoll/indexer",
} as const satisfies Partial<Record<keyof ScannerOptions, string>>;

/** Refuses what would have no effect: an engine is complete. */
function refuseOptionsOfEngine(options: ScannerOptions): void {
  if (options.engine === undefined) return;
  for (const name of ["files", "javaIndex"] as const) {
    if (options[name] !== undefined && options[name] !== false)
      throw new TypeError(`openScanner: expected "engine" or "${name}", found both: use ${optionsOfEngine[name]}`);
  }
}

/** Whether a database is a file, beside which other files can be stored. */
function isFile(db: string): boolean {
  return db !== ":memory:" && !/^postgres(?:ql)?:/.test(db);
}

type ScannerTables = IndexerTables & MatcherTables;

interface ScannerParts extends Omit<FeedDeps, "indexed" | "store"> {
  readonly store: Store<ScannerTables>;
  readonly indexer: HostIndexer;
  readonly readOnly: boolean;
  /** Closes the indexer and its files. */
  readonly close: () => Promise<void>;
}

function scannerOn({ store, indexer, readOnly, close: closeIndexer, ...parts }: ScannerParts): Scanner {
  const { engine } = parts;
  let isClosed = false;
  const checkOpen = () => {
    if (isClosed) throw new ScanError("closed", "the scanner is closed");
  };
  const whileOpen =
    <Parameters extends unknown[], Result>(act: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      checkOpen();
      return act(...parameters);
    };
  const feeds = () => listFeeds(store, { kind: "vulnerability" });
  const checkAdvisories = async ({ allowsNoAdvisories = false }: MatchOptions) => {
    if (allowsNoAdvisories || (await feeds()).length > 0) return;
    throw new ScanError(
      "no_advisories",
      "the database has no advisories because no feed is loaded; the results of updateFeeds say why a feed failed",
    );
  };
  const judge = (report: IndexReport, options: MatchOptions) => matchManifest(report, { engine, store, ...options });
  const match = async (report: IndexReport, options: MatchOptions = {}) => {
    await checkAdvisories(options);
    return judge(report, options);
  };
  async function* indexAll(source: ImageSource, options: IndexOptions = {}): AsyncIterable<IndexedImage> {
    checkOpen();
    for await (const image of indexer.index(source, everyPlatform(options))) {
      if (!readOnly) {
        await putEcosystems(store, engine, image.report);
        await rememberImage({ store, engine, clock: parts.clock, signal: options.signal }, image);
      }
      yield image;
    }
  }
  async function* scanAll(source: ImageSource, options: ScanOptions = {}): AsyncIterable<ScanReport> {
    checkOpen();
    await checkAdvisories(options);
    for await (const image of indexAll(source, options)) {
      yield scanReport(image, await judge(image.report, options));
    }
  }
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await closeIndexer();
    await store.close();
  };
  return {
    engine,
    scan: (source, options) =>
      onlyImage(
        scanAll(source, { ...options, preferredPlatform: options?.preferredPlatform ?? hostPlatform() }),
        source,
      ),
    scanAll,
    index: (source, options) =>
      onlyImage(
        indexAll(source, { ...options, preferredPlatform: options?.preferredPlatform ?? hostPlatform() }),
        source,
      ),
    indexAll,
    match: whileOpen(match),
    explain: whileOpen(
      (report: IndexReport, question: Explanation["question"], options: Pick<MatchOptions, "asOf"> = {}) =>
        explainReport(
          engine,
          { report, advisories: { ...advisoriesOf(store, options), ...enrichmentsOf(store, engine, options) } },
          question,
        ),
    ),
    affected: whileOpen((vulnerability: string, options: Pick<MatchOptions, "outdatedBefore" | "signal"> = {}) =>
      findAffectedImages({ store, engine, ...options }, vulnerability, (report) => judge(report, options)),
    ),
    updateFeeds: whileOpen((options: UpdateFeedsOptions = {}) =>
      updateFeeds({ store, indexed: () => listEcosystems(store), ...parts }, options),
    ),
    feeds: whileOpen(feeds),
    databaseStatus: whileOpen(() => databaseStatus(store)),
    exportDatabase: whileOpen((file: string, signal?: AbortSignal) => exportToFile(store, file, signal)),
    importDatabase: whileOpen((file: string, signal?: AbortSignal, onEvent?: (event: ImportEvent) => void) =>
      importFromFile(file, { store, clock: parts.clock, signal, onEvent }),
    ),
    pushDatabase: whileOpen((reference: string, using: RegistryUse = {}) => pushDatabase(store, reference, using)),
    pullDatabase: whileOpen((reference: string, using: RegistryUse = {}, onEvent?: (event: ImportEvent) => void) => {
      const { signal } = using;
      const options = { store, clock: parts.clock, signal, onEvent };
      return pullDatabase(options, reference, using);
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function everyPlatform(options: IndexOptions): IndexOptions {
  const { platform, preferredPlatform } = options;
  return platform === undefined && preferredPlatform === undefined ? { ...options, platform: "all" } : options;
}
