/** References of images, and the interfaces of an own source of images or cache of layers. */
export { formatImageReference, type ImageReference, parseImageReference } from "../image/image-reference.ts";
export type { ImageSource } from "../image/image-source.ts";
export type { LayerCache } from "../index/layer-cache.ts";
export type { LayerFindings } from "../index/layer-findings.ts";
