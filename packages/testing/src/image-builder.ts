import { createHash } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type Header, pack } from "tar-stream";

/**
 * An entry of a layer or an archive: a file's content, a link or a folder. A whiteout is a file named `.wh.NAME`.
 */
export type TreeEntry =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode: number }
  | { readonly symbolicLink: string }
  | { readonly hardLink: string }
  | { readonly folder: true };

/** Entries by path, in archive order. */
export type Tree = Readonly<Record<string, TreeEntry>>;

/** How a layer is stored. */
export type LayerCompression = "plain" | "gzip" | "zstd";

/** A blob, and the fields of its descriptor. */
export interface BuiltBlob {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  readonly mediaType: string;
}

/** A layer as stored. */
export interface BuiltLayer extends BuiltBlob {
  readonly diffId: Digest;
}

/** The platform of an image; by default `linux/amd64`. */
export interface BuiltPlatform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
}

/** An image manifest with everything that it refers to. */
export interface BuiltImage extends BuiltBlob {
  readonly kind: "image";
  readonly config: BuiltBlob;
  readonly layers: readonly BuiltLayer[];
  readonly platform: BuiltPlatform;
}

/** An image index with everything that it refers to. */
export interface BuiltIndex extends BuiltBlob {
  readonly kind: "index";
  readonly members: readonly (BuiltImage | BuiltIndex)[];
}

const ociPrefix = "application/vnd.oci.image";
const layerMediaTypes: Readonly<Record<LayerCompression, string>> = {
  plain: `${ociPrefix}.layer.v1.tar`,
  gzip: `${ociPrefix}.layer.v1.tar+gzip`,
  zstd: `${ociPrefix}.layer.v1.tar+zstd`,
};

/** The sha256 digest of bytes. */
export function digestOf(bytes: Uint8Array): Digest {
  return parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
}

/** A tar archive of a tree; the same tree gives the same bytes. */
export async function packTree(tree: Tree): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, entry] of Object.entries(tree)) writeEntry(archive, name, entry);
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Uint8Array.from(Buffer.concat(chunks));
}

/** A layer of a tree. */
export async function buildLayer(tree: Tree, compression: LayerCompression = "gzip"): Promise<BuiltLayer> {
  const tar = await packTree(tree);
  return { ...blob(compress(tar, compression), layerMediaTypes[compression]), diffId: digestOf(tar) };
}

/** The parts of an image to build. */
export interface ImageParts {
  /** Base first. */
  readonly layers: readonly BuiltLayer[];
  readonly platform?: BuiltPlatform;
  /** Docker's media types instead of OCI's. */
  readonly form?: "oci" | "docker";
  /** Replaces members of the manifest, to build broken ones. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Replaces members of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** An image manifest with its configuration. */
export function buildImage(parts: ImageParts): BuiltImage {
  const { layers, platform = { os: "linux", architecture: "amd64" }, form = "oci" } = parts;
  const docker = "application/vnd.docker";
  const config = jsonBlob(
    { ...platform, rootfs: { type: "layers", diff_ids: layers.map((layer) => layer.diffId) }, ...parts.config },
    form === "oci" ? `${ociPrefix}.config.v1+json` : `${docker}.container.image.v1+json`,
  );
  const mediaType = form === "oci" ? `${ociPrefix}.manifest.v1+json` : `${docker}.distribution.manifest.v2+json`;
  const layerType = (layer: BuiltLayer) =>
    form === "oci"
      ? layer.mediaType
      : `${docker}.image.rootfs.diff.tar${layer.mediaType.endsWith("gzip") ? ".gzip" : ""}`;
  const manifest = jsonBlob(
    {
      schemaVersion: 2,
      mediaType,
      config: describeBlob(config),
      layers: layers.map((layer) => ({ ...describeBlob(layer), mediaType: layerType(layer) })),
      ...parts.manifest,
    },
    mediaType,
  );
  return { kind: "image", ...manifest, config, layers, platform };
}

/** An image index. `extra` are descriptors of manifests that are not built here, for example attestations or missing ones. */
export function buildIndex(
  members: readonly (BuiltImage | BuiltIndex)[],
  extra: readonly Readonly<Record<string, unknown>>[] = [],
): BuiltIndex {
  const mediaType = `${ociPrefix}.index.v1+json`;
  const manifests = [
    ...members.map((member) => ({
      ...describeBlob(member),
      platform: member.kind === "image" ? member.platform : undefined,
    })),
    ...extra,
  ];
  return { kind: "index", ...jsonBlob({ schemaVersion: 2, mediaType, manifests }, mediaType), members };
}

/** Every blob below an image or an index, itself included. */
export function blobsOf(root: BuiltImage | BuiltIndex): readonly BuiltBlob[] {
  if (root.kind === "index") return [root, ...root.members.flatMap(blobsOf)];
  return [root, root.config, ...root.layers];
}

/** The media type, digest and size of a blob, as manifests write them. */
export function describeBlob(blob: BuiltBlob): { mediaType: string; digest: Digest; size: number } {
  return { mediaType: blob.mediaType, digest: blob.digest, size: blob.bytes.length };
}

/** The files of an OCI layout; the keys are the names of the roots in its index. */
export function ociLayoutTree(roots: Readonly<Record<string, BuiltImage | BuiltIndex>>): Tree {
  const manifests = Object.entries(roots).map(([name, root]) => ({
    ...describeBlob(root),
    platform: root.kind === "image" ? root.platform : undefined,
    annotations: name === "" ? undefined : { "org.opencontainers.image.ref.name": name },
  }));
  const tree: Record<string, TreeEntry> = {
    "oci-layout": JSON.stringify({ imageLayoutVersion: "1.0.0" }),
    "index.json": JSON.stringify({ schemaVersion: 2, manifests }),
  };
  for (const blob of Object.values(roots).flatMap(blobsOf)) tree[`blobs/${blob.digest.replace(":", "/")}`] = blob.bytes;
  return tree;
}

/** The files of a docker archive, as `docker save` wrote them before it wrote OCI layouts; keys are `name:tag`. */
export function dockerArchiveTree(images: Readonly<Record<string, BuiltImage>>): Tree {
  const tree: Record<string, TreeEntry> = {};
  const manifest = Object.entries(images).map(([tag, image]) => {
    const configName = `${image.config.digest.slice("sha256:".length)}.json`;
    tree[configName] = image.config.bytes;
    const layerNames = image.layers.map((layer) => `${layer.diffId.slice("sha256:".length)}/layer.tar`);
    for (const [i, name] of layerNames.entries()) tree[name] = image.layers[i]?.bytes ?? "";
    return { Config: configName, RepoTags: tag === "" ? null : [tag], Layers: layerNames };
  });
  tree["manifest.json"] = JSON.stringify(manifest);
  return tree;
}

/** Compresses the bytes of a layer or an archive. */
export function compress(bytes: Uint8Array, compression: LayerCompression): Uint8Array {
  switch (compression) {
    case "plain":
      return bytes;
    case "gzip":
      return Uint8Array.from(gzipSync(bytes));
    case "zstd":
      return Uint8Array.from(zstdCompressSync(bytes));
  }
}

function blob(bytes: Uint8Array, mediaType: string): BuiltBlob {
  return { bytes, digest: digestOf(bytes), mediaType };
}

function jsonBlob(value: unknown, mediaType: string): BuiltBlob {
  return blob(Uint8Array.from(Buffer.from(JSON.stringify(value))), mediaType);
}

function writeEntry(archive: ReturnType<typeof pack>, name: string, entry: TreeEntry): void {
  const header = { name, mtime: new Date(0) };
  if (typeof entry === "string" || entry instanceof Uint8Array) {
    archive.entry({ ...header, mode: 0o644 }, Buffer.from(entry));
  } else if ("content" in entry) {
    archive.entry({ ...header, mode: entry.mode }, Buffer.from(entry.content));
  } else {
    archive.entry({ ...header, ...linkOrFolder(entry) });
  }
}

function linkOrFolder(entry: Extract<TreeEntry, { symbolicLink: string } | { hardLink: string } | { folder: true }>) {
  if ("symbolicLink" in entry)
    return { type: "symlink", linkname: entry.symbolicLink } as const satisfies Partial<Header>;
  if ("hardLink" in entry) return { type: "link", linkname: entry.hardLink } as const satisfies Partial<Header>;
  return { type: "directory", mode: 0o755 } as const satisfies Partial<Header>;
}
