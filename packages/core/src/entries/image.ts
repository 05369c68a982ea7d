/** References of images, and the interfaces of an own source of images or cache of layers. */
export { formatImageReference, type ImageReference, parseImageReference } from "../image/image-reference.ts";
export type {
  FoundInLayer,
  ImageSource,
  LayerBytes,
  OpenedSource,
  OpenSourceOptions,
  SourceImage,
  SourceLayer,
} from "../image/image-source.ts";
export type { LayerCache } from "../index/layer-cache.ts";
export type { LayerFindings } from "../index/layer-findings.ts";
export { createGunzip } from "../inflate/gunzip.ts";
export type { ImageConfig, ImageStart } from "../model/image-manifest.ts";
export type { Decompress } from "../ports.ts";
