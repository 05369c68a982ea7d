import type { ManifestKind } from "../store/tables/content.ts";
import { misreadMember } from "../values/misread-members.ts";

/** The media types of a manifest that is not an index. */
export interface ManifestTypes {
  readonly mediaType: string;
  readonly configType: string;
  readonly layerTypes: readonly string[];
}

/** Also matches media types that the scanner does not know, but a runtime may. */
const fileSystem = /\.layer\.|rootfs|\btar\b/i;

const imageConfigs: ReadonlySet<string> = new Set([
  "application/vnd.oci.image.config.v1+json",
  "application/vnd.docker.container.image.v1+json",
]);

/**
 * Other types of configurations that Docker takes for those of images.
 * @see https://github.com/moby/moby/blob/v28.0.0/distribution/registry.go
 */
const oldConfigs: ReadonlySet<string> = new Set(["application/octet-stream", "application/json", "text/html"]);

/** Whether a media type is that of an image's configuration. Podman then unpacks the layers whatever their types are. */
export function isImageConfig(mediaType: string): boolean {
  return imageConfigs.has(essenceOf(mediaType));
}

/**
 * The kind of a manifest by its media types. containerd goes by the types of layers, Podman by that of the configuration, and Docker by
 * that of the manifest: each of them alone may make an image. Undefined if only the content of the layers tells: cosign's signatures have
 * the configuration of an image, too.
 * @see https://github.com/containers/image/blob/v5.34.0/manifest/oci.go
 * @see https://github.com/containerd/containerd/blob/v2.0.0/core/images/mediatypes.go
 */
export function kindByTypes({ mediaType, configType, layerTypes }: ManifestTypes): ManifestKind | undefined {
  if (layerTypes.length === 0) return "artifact";
  if (layerTypes.some((each) => fileSystem.test(each))) return "image";
  const isDocker = essenceOf(mediaType).startsWith("application/vnd.docker.");
  const mayBeImage = isDocker || isImageConfig(configType) || oldConfigs.has(essenceOf(configType));
  return mayBeImage ? undefined : "artifact";
}

function essenceOf(mediaType: string): string {
  return (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** The kind of a stored manifest as {@link kindByTypes}, and its layers. Where runtimes may read other members than this code, it is an image. */
export function kindByContent(content: string, mediaType: string): SeenKind {
  const parsed = JSON.parse(content) as {
    readonly config?: { readonly mediaType: string } | null;
    readonly layers?: readonly { readonly mediaType: string; readonly digest: string }[] | null;
  };
  const layers = parsed.layers ?? [];
  if (misreadMember(parsed) !== undefined) return { kind: "image", layers: [] };
  const layerTypes = layers.map((each) => each.mediaType);
  const kind = kindByTypes({ mediaType, configType: parsed.config?.mediaType ?? "", layerTypes });
  return { kind, layers: layers.map(({ digest }) => digest) };
}

interface SeenKind {
  readonly kind: ManifestKind | undefined;
  /** The digests of the layers. */
  readonly layers: readonly string[];
}

/** How many bytes at the beginning of a layer {@link isText} needs: the header of a tar archive. */
export const headLength = 512;

/**
 * Whether a layer that begins with these bytes is a text, and nothing that a runtime unpacks: neither a tar archive, which has the
 * checksum of its first header, nor a compressed one.
 * @param head the first {@link headLength} bytes; fewer if the layer is shorter
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06
 */
export function isText(head: Uint8Array): boolean {
  const isPrintable = head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
  const isBzip2 = head[0] === 0x42 && head[1] === 0x5a && head[2] === 0x68;
  const isUtf8 = (head[0] ?? 0) < 0x80; // no compressed format but bzip2 begins with printable ASCII
  return isPrintable && isUtf8 && !isBzip2 && !hasTarChecksum(head);
}

/** Whether the header has its checksum, with bytes added up as unsigned or, as old programs did, as signed numbers. */
function hasTarChecksum(head: Uint8Array): boolean {
  if (head.length < headLength) return false;
  const [from, to] = [148, 156];
  const stated = Number.parseInt(Buffer.from(head.subarray(from, to)).toString("latin1").trim(), 8);
  let [unsigned, signed] = [0, 0];
  for (const [at, byte] of head.entries()) {
    const counted = at >= from && at < to ? 0x20 : byte;
    unsigned += counted;
    signed += counted > 0x7f ? counted - 0x100 : counted;
  }
  return stated === unsigned || stated === signed;
}
