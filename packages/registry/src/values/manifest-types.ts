/**
 * The accepted media types of manifests. Schema 1 is not accepted, because no tool creates it any more. Entries of an index with another
 * type are blobs: caches of older versions of BuildKit list layers and their configuration so.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/image-index.md
 */
export const manifestTypes: ReadonlyMap<string, { readonly isIndex: boolean }> = new Map([
  ["application/vnd.oci.image.manifest.v1+json", { isIndex: false }],
  ["application/vnd.oci.image.index.v1+json", { isIndex: true }],
  ["application/vnd.docker.distribution.manifest.v2+json", { isIndex: false }],
  ["application/vnd.docker.distribution.manifest.list.v2+json", { isIndex: true }],
]);
