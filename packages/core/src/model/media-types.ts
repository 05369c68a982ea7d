/**
 * The kind of a document or blob by its media type. `schema-1-manifest`: the form before 2017, in which layers have no media
 * type and the configuration has no digest. `foreign-layer`: content that may not be distributed, and is stored elsewhere or
 * not at all.
 */
export type MediaTypeKind =
  | "image-index"
  | "image-manifest"
  | "schema-1-manifest"
  | "image-config"
  | "layer"
  | "foreign-layer";

/**
 * The media types of images.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/media-types.md
 * @see https://distribution.github.io/distribution/spec/manifest-v2-2/#media-types
 */
export const mediaTypes: ReadonlyMap<string, MediaTypeKind> = new Map([
  ["application/vnd.oci.image.index.v1+json", "image-index"],
  ["application/vnd.oci.image.manifest.v1+json", "image-manifest"],
  ["application/vnd.oci.image.config.v1+json", "image-config"],
  ["application/vnd.oci.image.layer.v1.tar", "layer"],
  ["application/vnd.oci.image.layer.v1.tar+gzip", "layer"],
  ["application/vnd.oci.image.layer.v1.tar+zstd", "layer"],
  ["application/vnd.oci.image.layer.nondistributable.v1.tar", "foreign-layer"],
  ["application/vnd.oci.image.layer.nondistributable.v1.tar+gzip", "foreign-layer"],
  ["application/vnd.oci.image.layer.nondistributable.v1.tar+zstd", "foreign-layer"],
  ["application/vnd.docker.distribution.manifest.list.v2+json", "image-index"],
  ["application/vnd.docker.distribution.manifest.v2+json", "image-manifest"],
  ["application/vnd.docker.distribution.manifest.v1+json", "schema-1-manifest"],
  ["application/vnd.docker.distribution.manifest.v1+prettyjws", "schema-1-manifest"],
  ["application/vnd.docker.container.image.v1+json", "image-config"],
  ["application/vnd.docker.image.rootfs.diff.tar", "layer"],
  ["application/vnd.docker.image.rootfs.diff.tar.gzip", "layer"],
  ["application/vnd.docker.image.rootfs.diff.tar.zstd", "layer"],
  ["application/vnd.docker.image.rootfs.foreign.diff.tar", "foreign-layer"],
  ["application/vnd.docker.image.rootfs.foreign.diff.tar.gzip", "foreign-layer"],
  ["application/vnd.docker.image.rootfs.foreign.diff.tar.zstd", "foreign-layer"],
]);

/**
 * The kind of a media type; case and parameters do not matter. Undefined for a media type that is not one of images.
 * @example
 * findMediaTypeKind("application/vnd.oci.image.manifest.v1+json"); // "image-manifest"
 */
export function findMediaTypeKind(mediaType: string): MediaTypeKind | undefined {
  const [essence = ""] = mediaType.split(";", 1);
  return mediaTypes.get(essence.trim().toLowerCase());
}
