/**
 * What an ecosystem is made of: plain objects without base classes, registration or optional methods.
 * `docs/how-to/add-an-ecosystem.md` builds one from nothing.
 */
import type { ByteParts } from "./bytes/byte-parts.ts";
import type { Bytes } from "./bytes/bytes.ts";
import type { Advisory, AdvisoryRule } from "./model/advisory.ts";
import type { Digest } from "./model/digest.ts";
import type { Distribution } from "./model/distribution.ts";
import type { UnassessedKind } from "./model/index-report.ts";
import type { FoundPackage, Package, PackageRepository } from "./model/package.ts";

/** What the layer says of one path before its content is read. */
export interface FileInfo {
  /** Without a leading slash, `/`-separated, normalized: no `.`, `..` or empty segment. */
  readonly path: string;
  readonly kind: "file" | "hard-link" | "symbolic-link";
  /** Of the content; 0 for links. */
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
}

/** A file of a layer with its content. For a link, the content of what it leads to inside the same layer. */
export interface LayerFile {
  readonly path: string;
  /** Where the content stands: `path` itself unless `path` is a link. */
  readonly contentPath: string;
  readonly mode: number;
  /** All of it, in memory. */
  readonly bytes: Uint8Array;
  /** The same for a detector that looks at one part after the other: a large content is then never in memory as a whole. */
  readonly parts?: ByteParts;
}

/** The files of one layer that one detector wants, in path order. */
export interface LayerFiles extends Iterable<LayerFile> {
  get(path: string): LayerFile | undefined;
}

/** A package database that is in the layer, even when it lists nothing. */
export interface DatabaseFinding {
  readonly kind: "database";
  readonly path: string;
}

/** An installed package. */
export interface PackageFinding {
  readonly kind: "package";
  /** The database's path; for a package without one, the path of the file that proves it. */
  readonly packageDb: string;
  readonly package: FoundPackage;
  /** The repository of its ecosystem, where the file that lists it says which: a bill of materials has packages of several languages. */
  readonly repository?: Omit<PackageRepository, "id">;
  /** Who made the package, when it is recognizably not the distribution. */
  readonly thirdParty?: string;
  /** The repository that its package manager says it installed the package from. */
  readonly installedFrom?: string;
  /** The file that proves the package, where `packageDb` names a part of it: `app.war` of `app.war:WEB-INF/lib/a.jar`. */
  readonly file?: string;
  /** Where a lock file says that the package is needed to develop the project and not to run it. */
  readonly development?: true;
  /** The package of the operating system that owns that file. The engine fills it in from {@link FileOwners}. */
  readonly ownedBy?: string;
}

/** An operating system release. */
export interface DistributionFinding {
  readonly kind: "distribution";
  readonly path: string;
  readonly distribution: Omit<Distribution, "id">;
}

/** A source of packages. */
export interface RepositoryFinding {
  readonly kind: "repository";
  readonly path: string;
  readonly repository: Omit<PackageRepository, "id">;
}

/** Something that is there but could not be read. */
export interface ProblemFinding {
  readonly kind: "problem";
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A path that shows that packages are there which no detector reads. */
export interface EvidenceFinding {
  readonly kind: "evidence";
  readonly path: string;
  readonly packages: UnassessedKind;
  /** How many pieces of evidence the path stands for: 1 unless a layer has more of one kind than are listed. */
  readonly pieces: number;
}

/** Files that a document lists as parts of what it describes: what such a file says of itself is no second package. */
export interface ListingFinding {
  readonly kind: "listing";
  /** Of the document. */
  readonly path: string;
  /** As the layer names them. A file of the list need not be there. */
  readonly files: readonly string[];
}

/** What a detector says of one layer. Plain data: findings are stored per layer. */
export type Finding =
  | DatabaseFinding
  | DistributionFinding
  | EvidenceFinding
  | ListingFinding
  | PackageFinding
  | ProblemFinding
  | RepositoryFinding;

/** Finds things in one layer. */
export interface Detector {
  /** Stable, kebab-case; stored with results. */
  readonly name: string;
  /** Raised when the same layer would give other findings: changes the engine's state. */
  readonly revision: number;
  /** Whether the detector needs the file's content. Called for every file and link: cheap and pure. */
  wants(file: FileInfo): boolean;
  /** Pure. What cannot be read becomes a problem finding; a thrown error becomes one for the whole detector. */
  detect(files: LayerFiles): Iterable<Finding>;
}

/** A mark that compilers leave in programs: build information of Go, the dependency list of a Rust program. */
export type BuildMark = "go" | "rust";

/**
 * Finds packages in single files, each by itself, while a layer streams by. A content is looked at once and not kept, so that an
 * image may hold any number of such files. {@link Detector}s are for databases of several files.
 */
export interface FileDetector {
  /** Stable, kebab-case; stored with results. No {@link Detector} has the same. */
  readonly name: string;
  /** Raised when the same file would give other findings: changes the engine's state. */
  readonly revision: number;
  /** Whether the detector needs the file's content, by its path and size. Called for every file and hard link: cheap and pure. */
  wants(file: FileInfo): boolean;
  /** The mark of the programs that the detector needs besides, wherever they lie. */
  readonly programs?: BuildMark;
  /** Pure. Keeps nothing of the bytes. A thrown error becomes a problem of the file. */
  detect(file: LayerFile): Iterable<Finding>;
}

/**
 * Finds packages that paths alone tell, among those that are noted of a layer because they show that packages are there. No content is
 * read for it.
 */
export interface PathDetector {
  /** Stable, kebab-case. No other detector has the same. */
  readonly name: string;
  /** Raised when the same path would give other findings: changes the engine's state. */
  readonly revision: number;
  /** Which evidence it is asked about. */
  readonly packages: UnassessedKind;
  /** Pure. Evidence that it gives back stays not assessed. */
  detect(evidence: EvidenceFinding): Iterable<Finding>;
}

/** A file that a package of the operating system brought. */
export interface OwnedFile {
  /** As the layer names it. */
  readonly path: string;
  /** The name of the package. */
  readonly owner: string;
}

/** Says which files the packages of an operating system own, so that what is in them is not counted as a second package. */
export interface FileOwners {
  /** Stable, kebab-case. No detector has the same. */
  readonly name: string;
  /** Raised when the same files would give other owners: changes the engine's state. */
  readonly revision: number;
  wants(file: FileInfo): boolean;
  /** Pure. Asked only of layers in which files prove packages; a thrown error leaves the rest of the files without owners. */
  owners(files: LayerFiles): Iterable<OwnedFile>;
}

/** The findings that one ecosystem's detectors made in one layer. */
export interface EcosystemLayer {
  readonly digest: Digest;
  readonly findings: readonly Finding[];
}

/** The image as all layers together make it. Layers are counted from the base, which is 0. */
export interface ImageView {
  /** Whether a file that layer `index` brought is still there in the finished image, unreplaced. */
  survives(path: string, index: number): boolean;
  /** The release in effect at a layer: the nearest one at or below it, else the nearest above. */
  distributionAt(index: number): Omit<Distribution, "id"> | undefined;
  /** Repository findings of all ecosystems whose files are still there, base first. */
  readonly repositories: readonly RepositoryFinding[];
}

/** A package of the finished image. */
export interface CoalescedPackage {
  readonly package: FoundPackage;
  readonly packageDb: string;
  readonly introducedIn: Digest;
  readonly distribution?: Omit<Distribution, "id">;
  /** For a language's package, first the repository of its ecosystem: packages of the same name in another are others. */
  readonly repositories: readonly Omit<PackageRepository, "id">[];
}

/** Merges the findings of all layers, base first. Pure. */
export type Coalescer = (layers: readonly EcosystemLayer[], image: ImageView) => Iterable<CoalescedPackage>;

/**
 * An order of versions. Sorting, ranges and maxima are free functions over it (`match/range.ts`).
 * `parse` throws ScanError `malformed_version`.
 */
export interface VersionScheme<V = unknown> {
  readonly name: string;
  parse(text: string): V;
  compare(a: V, b: V): -1 | 0 | 1;
}

/** One package with where it comes from: the unit of matching. */
export interface IndexRecord {
  readonly package: Package;
  readonly packageDb: string;
  /** The layer that brought the package, where that is known. */
  readonly introducedIn?: Digest;
  readonly distribution?: Distribution;
  readonly repositories: readonly PackageRepository[];
  /** The packages of the distribution that own the package's files, as the same image has them; absent where none does. */
  readonly owners?: readonly IndexRecord[];
}

/** What advisories are looked up by, forwards (package → advisories) and backwards (advisory → packages). */
export interface MatchKey {
  readonly ecosystem: string;
  readonly name: string;
}

/** Writes down why a verdict was reached; `explain` prints it. */
export interface Trace {
  step(rule: string, detail: string): void;
}

/** What a matcher says of one package and one advisory. */
export type Verdict =
  | { readonly kind: "affected"; readonly fixedInVersion?: string }
  | { readonly kind: "not-affected"; readonly reason: NotAffectedReason }
  | { readonly kind: "undecided"; readonly reason: UndecidedReason };

/** Why an advisory does not apply. `vendor-statement` also overrules other advisories of the same vulnerability. */
export type NotAffectedReason =
  | "distribution-package"
  | "fixed"
  | "outside-range"
  | "other-arch"
  | "other-flavour"
  | "other-kind"
  | "other-module"
  | "other-product"
  | "vendor-statement";

/** Why a verdict is undecided. */
export type UndecidedReason =
  | "malformed-advisory-version"
  | "malformed-package-version"
  | "matcher-failed"
  | "module-unknown"
  | "product-unknown"
  | "third-party-package"
  | "vendor-undetermined"
  | "version-unknown";

/** Decides whether advisories of one kind apply to packages of one kind. */
export interface Matcher {
  readonly name: string;
  /** Raised when a package would be looked up under other keys: keys that are stored are then made anew. */
  readonly keysRevision: number;
  accepts(record: IndexRecord): boolean;
  /** Forward look-up and reverse index from one function; the first key's ecosystem is the one a feed must cover. */
  keys(record: IndexRecord): readonly MatchKey[];
  /** Pure. Called with advisories found by `keys`. */
  judge(record: IndexRecord, advisory: AdvisoryRule, trace?: Trace): Verdict;
}

/** Identifies the last state of a feed; opaque, made by the updater. */
export type Fingerprint = string;

/** A feed, or a part of one, as a {@link FeedReader} opens it. */
export type Feed = { readonly kind: "unchanged" } | FeedDocument | FeedFolder;

/** One document. It may be read several times until the update ends. */
export interface FeedDocument {
  readonly kind: "document";
  readonly location: string;
  /** What to pass as `previous` next time: an ETag, a date or a digest, as the reader likes. */
  readonly validator: string;
  readonly sizeBytes: number;
  stream(): Bytes;
  /** Fewer bytes only at the end. */
  readAt(offset: number, length: number): Promise<Uint8Array>;
}

/** A folder of documents. */
export interface FeedFolder {
  readonly kind: "folder";
  readonly location: string;
  readonly validator: string;
  /** Relative `/`-separated names, sorted, below every sub-folder. */
  readonly names: readonly string[];
  read(name: string): Promise<Uint8Array>;
}

/**
 * Brings feeds in. Retry, conditional requests, size caps and address guards are the reader's affair, written once.
 * Relative names are resolved against what the user configured for the feed: an address, a folder or a file.
 */
export interface FeedReader {
  /** When the run began, in epoch milliseconds: some feeds have a document a day. Absent where that is not known. */
  readonly startedAt?: number;
  /** The ecosystems that are needed, without releases: a feed that has a document for each leaves the others out. Absent: all. */
  readonly needed?: ReadonlySet<string>;
  /** The configured location itself, with no name. @throws ScanError `not_found`, `feed_unreachable` */
  open(name?: string, previous?: string): Promise<Feed>;
}

/** One record of a feed: something usable, or what was wrong with it. One bad record never aborts a feed. */
export type FeedItem<Item> =
  | { readonly kind: "item"; readonly item: Item }
  | { readonly kind: "problem"; readonly at: string; readonly message: string };

/**
 * What a run of an updater brought. A `snapshot` is all that the feed says now. A `delta` is what it says now of the records that it
 * names; every other record stays as it was in the state that `previous` identified.
 */
export type Update<Item> =
  | { readonly kind: "unchanged" }
  | { readonly kind: "snapshot"; readonly fingerprint: Fingerprint; readonly items: AsyncIterable<FeedItem<Item>> }
  | {
      readonly kind: "delta";
      readonly fingerprint: Fingerprint;
      readonly changes: AsyncIterable<FeedItem<RecordChange<Item>>>;
    };

/** All that a feed says now of one of its records. Where a delta names a record again, the last change counts. */
export interface RecordChange<Item> {
  /** The `name` of its advisories; for facts, the tag that they are looked up by. */
  readonly record: string;
  /** Empty where the feed has withdrawn the record. */
  readonly items: readonly Item[];
}

/**
 * Whose images need a feed, and how much there is to download the first time. An ecosystem is named as advisory keys begin: `debian`
 * of `debian:12`, `npm`.
 */
export interface FeedScope {
  /** Bytes of the documents of each ecosystem, about; 0 where it has none of its own. */
  readonly partBytes: Readonly<Record<string, number>>;
  /** Bytes of the documents that are for all of them, about. */
  readonly sharedBytes?: number;
}

/** Turns one feed into advisories, whatever packaging systems it speaks of. Throws ScanError `malformed_feed` when the document as a whole is unusable. */
export interface Updater<Item = Advisory> {
  readonly name: string;
  /** Where the feed is by default: the address that `FeedReader.open()` without a name leads to. */
  readonly location: string;
  /** Absent where images of every kind need the feed. */
  readonly scope?: FeedScope;
  /** `previous` is absent where nothing of the feed is stored; the answer is then a snapshot. */
  update(feeds: FeedReader, previous?: Fingerprint): Promise<Update<Item>>;
}

/** A fact about a vulnerability, kept under the names it is looked up by. */
export interface EnrichmentRecord {
  readonly tags: readonly string[];
  readonly record: Json;
}

/** What an enricher knows of the repositories that packages come from; used before packages are matched. */
export interface RepositoryEnricher {
  /** The name to look facts up by; undefined for a repository that it knows nothing of. */
  tagOf(repository: PackageRepository): string | undefined;
  /** The repository with what the records say; several where it has several products. */
  complete(repository: PackageRepository, records: readonly EnrichmentRecord[]): readonly PackageRepository[];
}

/** When a release of a product gets no security fixes any more. */
export interface ReleaseEnd {
  /** The name of the product for people. */
  readonly product: string;
  readonly release: string;
  /** The last day of fixes, `YYYY-MM-DD`. */
  readonly day: string;
}

/** What an enricher knows of how long releases get security fixes. */
export interface LifecycleEnricher {
  /** The names to look facts up by. */
  distributionTags(release: Omit<Distribution, "id">): readonly string[];
  endOfDistribution(
    release: Omit<Distribution, "id">,
    repositories: readonly PackageRepository[],
    records: readonly EnrichmentRecord[],
  ): ReleaseEnd | undefined;
  /** The names to look facts up by; none for a package that gets fixes as long as its distribution does. */
  packageTags(record: IndexRecord): readonly string[];
  endOfPackage(record: IndexRecord, records: readonly EnrichmentRecord[]): ReleaseEnd | undefined;
}

/** Adds facts to a report. */
export interface Enricher {
  readonly name: string;
  /** The key under which the report carries the facts. */
  readonly type: string;
  readonly updater: Updater<EnrichmentRecord>;
  /** The names to look facts up by. */
  tags(advisory: Advisory): Iterable<string>;
  enrich(advisory: Advisory, records: readonly EnrichmentRecord[]): Json | undefined;
  /** Absent where it knows nothing of repositories. */
  readonly repositories?: RepositoryEnricher;
  /** Absent where it knows nothing of how long releases get fixes. */
  readonly lifecycles?: LifecycleEnricher;
}

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What the engine knows of one packaging system, as lists. A member that is optional is absent where there is nothing of its kind. */
export interface Ecosystem {
  readonly name: string;
  readonly detectors: readonly Detector[];
  readonly fileDetectors?: readonly FileDetector[];
  /**
   * Detectors that read lock files: what a project says that it needs. They are asked only where a source is a folder of code; in an image, what is
   * installed counts.
   */
  readonly lockFileDetectors?: readonly FileDetector[];
  readonly pathDetectors?: readonly PathDetector[];
  readonly fileOwners?: readonly FileOwners[];
  readonly matchers: readonly Matcher[];
  /** The types of its package URLs: `deb` of `pkg:deb/debian/zlib1g`. No other ecosystem has them. */
  readonly purl: readonly string[];
  /** The order of its versions. */
  readonly versions?: VersionScheme;
  /** What its detectors find is in no package of the image without it. */
  readonly coalesce?: Coalescer;
  /**
   * The kinds of packages that its detectors read: paths that its file detectors want are then no evidence of something that was
   * not looked at. Without file detectors, none of the kind is.
   */
  readonly assesses?: readonly UnassessedKind[];
}
