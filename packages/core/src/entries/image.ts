/** References of images, manifests to scan, and the interfaces of an own source of images, cache of layers or decompressor. */
export type { ByteParts } from "../bytes/byte-parts.ts";
export { formatImageReference, type ImageReference, parseImageReference } from "../image/image-reference.ts";
export type {
  AttachedDocuments,
  BlobLayer,
  ExpectedLayer,
  FileRange,
  FilesTogether,
  FolderReader,
  ForeignLayer,
  FoundLayer,
  ImageSource,
  LayerBytes,
  LayerReader,
  LayerReaders,
  LayerReading,
  OpenedSource,
  OpenSourceOptions,
  ReadAttachedOptions,
  ReadLayer,
  SourceImage,
  SourceLayer,
  TogetherReader,
} from "../image/image-source.ts";
export type { FilesApart, FilesOfLayer } from "../index/files-apart.ts";
export type { ImageLayer } from "../index/image-layer.ts";
export type { LayerSingleFlight } from "../index/index-ports.ts";
export type { JoinedFiles } from "../index/join-files.ts";
export type { LayerCache } from "../index/layer-cache.ts";
export type { LayerFindings } from "../index/layer-findings.ts";
export type { LayerPlatform } from "../index/layer-reader.ts";
export { createGunzip, type GunzipOptions } from "../inflate/gunzip.ts";
export type { Crc32 } from "../inflate/gzip-members.ts";
export type { LayerShape, PathSet } from "../layer/layer-contents.ts";
export type { ParseSteps } from "../model/attestation.ts";
export type { HistoryEntry, ImageConfig } from "../model/image-manifest.ts";
export { type Manifest, type ManifestLayer, parseManifest, toManifestJson } from "../model/scan-manifest.ts";
export type {
  CreateHasher,
  Decompress,
  DecompressOptions,
  Decompressors,
  Hasher,
  Scratch,
  ScratchContent,
} from "../ports.ts";
export type { TarEntry, TarKind } from "../tar/entry.ts";
export type { DocumentKind } from "../vex/attached-artifacts.ts";
