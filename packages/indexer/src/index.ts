export { fromArchiveStream } from "@plimsoll/core";
export { formatImageReference, type ImageReference, type ImageSource, parseImageReference } from "@plimsoll/core/image";
export type {
  BlobLayer,
  ExpectedLayer,
  FileRange,
  ForeignLayer,
  FoundLayer,
  IndexEvent,
  IndexedImage,
  IndexOptions,
  LayerBytes,
  LayerReaders,
  LayerReading,
  OpenedSource,
  OpenSourceOptions,
  SourceImage,
  SourceLayer,
} from "@plimsoll/core/internal";
export {
  fromArchive,
  fromDockerArchive,
  fromOciArchive,
} from "./adapters/archive/from-archive.ts";
export { fromOciDir } from "./adapters/archive/from-oci-dir.ts";
export { fromContainerd } from "./adapters/containerd/from-containerd.ts";
export { createIndexService, type GivenIndexServiceOptions } from "./adapters/create-index-service.ts";
export type { EngineAddress, EngineHosts, EngineName } from "./adapters/engine/engine-address.ts";
export { type EngineOptions, fromDocker, fromPodman } from "./adapters/engine/from-engine.ts";
export { hostEngines } from "./adapters/engine/host-engines.ts";
export {
  type LayerFetcher,
  type LayerFetcherOptions,
  type LayerTimeouts,
  openLayerFetcher,
} from "./adapters/fetch/layer-fetcher.ts";
export { fromFile } from "./adapters/file/from-file.ts";
export { fromDir } from "./adapters/folder/from-dir.ts";
export {
  type BuildJavaIndexOptions,
  type BuiltJavaIndex,
  buildJavaIndex,
} from "./adapters/java-index/build-java-index.ts";
export { type OpenJavaIndex, openJavaIndex, replaceJavaIndex } from "./adapters/java-index/open-java-index.ts";
export { fromPurls } from "./adapters/list/from-purls.ts";
export { fromSbom, type ListOptions } from "./adapters/list/from-sbom.ts";
export { type ParseSourceOptions, parseSource, sniffSource } from "./adapters/parse-source.ts";
export { nodeReaders } from "./adapters/platform/node-readers.ts";
export { defaultLayerBudget, type LayerBudget, threadsThatFit } from "./adapters/pool/layer-budget.ts";
export { type LayerPool, type LayerPoolOptions, openLayerPool } from "./adapters/pool/layer-pool.ts";
export { anonymous, type Credential, type CredentialSource, fixedCredential } from "./adapters/registry/credentials.ts";
export { fromRegistry, type RegistryOptions, type RegistryTimeouts } from "./adapters/registry/from-registry.ts";
export { hostCertificates } from "./adapters/registry/host-certificates.ts";
export {
  type HostEnvironment,
  hostCredentials,
  hostEnvironment,
} from "./adapters/registry/host-environment.ts";
export { type FoundArtifact, findArtifact } from "./adapters/registry/pull-artifact.ts";
export {
  type Artifact,
  type ArtifactFile,
  type AttachedArtifact,
  attachArtifact,
  pushArtifact,
} from "./adapters/registry/push-artifact.ts";
export { findObjectFailure, findRateLimit, type ObjectFailure } from "./adapters/registry/refusal.ts";
export {
  openRegistryReports,
  type RegistryReport,
  type RegistryReports,
  type RegistryReportsOptions,
} from "./adapters/registry/registry-reports.ts";
export { openRemoteCatalog, type RemoteCatalog } from "./adapters/registry/remote-catalog.ts";
export {
  openRemoteRepository,
  type RemoteManifest,
  type RemoteReferrer,
  type RemoteRepository,
} from "./adapters/registry/remote-repository.ts";
export type { AffectedBlock } from "./affected-block.ts";
export type { AffectedManifestsJson } from "./affected-manifests.ts";
export type { CallOptions, IndexService } from "./index-service.ts";
export type { IndexServiceOptions } from "./index-service-options.ts";
export { createIndexer, type IndexedRecord, type Indexer, type IndexerOptions } from "./indexer.ts";
export { memoryLayerCache } from "./layer-cache.ts";
export type { RecordedImage, RecordedLayer, ReportMaker, ReportRecord } from "./make-report.ts";
export type { FetchLayer, FolderReader, ImageReaders, LayerCache, LayerReader, ReadLayer, Sleep } from "./ports.ts";
export { type RememberOptions, rememberImage } from "./remember-image.ts";
export { listRecords } from "./store/all-records.ts";
export { listEcosystems, putEcosystems } from "./store/ecosystems.ts";
export type { FoundImage, FoundImages, ImagesQuestion } from "./store/find-images.ts";
export {
  countIndexedImages,
  findIndexedImages,
  type ImageCounts,
  type ImageQuestion,
  type StoredImage,
} from "./store/indexed-images.ts";
export { storedLayers } from "./store/layer-store.ts";
export { indexerMigrations } from "./store/migrations/all.ts";
export type { StoredRecord } from "./store/reverse-index.ts";
export { checkDatabase } from "./store/runs.ts";
export type { IndexerStore, IndexerTables } from "./store/tables.ts";
export { formatLayerRecord, type LayerRecord, parseLayerRecord, type RecordHead } from "./values/layer-record.ts";
export { parsePieces, type TextPieces } from "./values/text-pieces.ts";
