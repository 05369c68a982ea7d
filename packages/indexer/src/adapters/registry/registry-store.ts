import { ScanError } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { ImageReference } from "@plimsoll/core/image";
import {
  type BlobLayer,
  type Descriptor,
  digestDocument,
  findMediaTypeKind,
  type ImageLayerDescriptor,
  type ImageStore,
  maxDocumentBytes,
  mediaTypes,
  parseJson,
  verifyDocument,
} from "@plimsoll/core/internal";
import type { RetryPolicy } from "@plimsoll/outbound";
import type { Endpoint } from "./endpoint.ts";
import { fetchBlob } from "./fetch-blob.ts";
import { type FetchedDocument, fetchDocument } from "./fetch-document.ts";

/** A repository of a registry as a store of images. */
export interface RegistryStore extends ImageStore<never> {
  /**
   * The descriptor of the manifest or index that a reference names.
   * @throws ScanError as `readDocument`, and `digest_mismatch`
   */
  findRoot(reference: ImageReference): Promise<Descriptor>;
}

/** Options of {@link openRegistryStore}. */
export interface RegistryStoreOptions {
  /** Mirrors before the registry itself. */
  readonly endpoints: readonly Endpoint[];
  readonly retry: RetryPolicy;
  readonly documentTimeoutMs: number;
  readonly layerTimeoutMs: number;
  readonly signal?: AbortSignal;
}

const manifestKinds = new Set(["image-index", "image-manifest", "schema-1-manifest"]);
/** The accepted media types. Unsupported ones are included, so that the error can name what was found. */
const acceptedManifests = [...mediaTypes].flatMap(([type, kind]) => (manifestKinds.has(kind) ? [type] : [])).join(", ");

/** Opens a store. Nothing is sent before the first read. */
export function openRegistryStore(options: RegistryStoreOptions): RegistryStore {
  const { endpoints, retry, documentTimeoutMs, layerTimeoutMs } = options;
  const common = { endpoints, retry, signal: options.signal };
  const roots = new Map<Digest, Uint8Array>();
  const fetchManifest = (name: string, what: string) => {
    const headers = { accept: acceptedManifests };
    return fetchDocument({ ...common, path: `manifests/${name}`, what, headers, timeoutMs: documentTimeoutMs });
  };
  return {
    findRoot: async (reference) => {
      const name = reference.digest ?? reference.tag ?? "latest";
      const fetched = await fetchManifest(name, `${reference.repository}:${name}`);
      const root = describeRoot(fetched, reference, `manifest ${reference.repository}:${name}`);
      roots.set(root.digest, fetched.bytes);
      return root;
    },
    readDocument: async ({ digest, mediaType, sizeBytes }) => {
      const root = roots.get(digest);
      if (root !== undefined) return root;
      const what = `document ${digest}`;
      if (sizeBytes > maxDocumentBytes) {
        throw new ScanError(
          "malformed_image",
          `${what}: expected at most ${maxDocumentBytes} bytes, found ${sizeBytes}`,
        );
      }
      if (manifestKinds.has(findMediaTypeKind(mediaType) ?? "")) return (await fetchManifest(digest, what)).bytes;
      const request = { ...common, path: `blobs/${digest}`, what, headers: {}, timeoutMs: documentTimeoutMs };
      return (await fetchDocument(request)).bytes;
    },
    toLayer: ({ digest, sizeBytes, diffId, mediaType }: ImageLayerDescriptor): BlobLayer => ({
      kind: "blob",
      digest,
      mediaType,
      expected: { digest, sizeBytes, diffId },
      reopens: true,
      open: (signal) => {
        const signals = [options.signal, signal].filter((one) => one !== undefined);
        return fetchBlob({ ...common, digest, sizeBytes, timeoutMs: layerTimeoutMs, signal: AbortSignal.any(signals) });
      },
    }),
  };
}

/** Describes a fetched root. Its digest is checked: that of the reference, or else that which the response states. */
function describeRoot(fetched: FetchedDocument, reference: ImageReference, what: string): Descriptor {
  const { bytes, headers } = fetched;
  const stated = headers["docker-content-digest"];
  const digest = reference.digest ?? (typeof stated === "string" ? parseDigest(stated) : digestDocument(bytes));
  verifyDocument(bytes, { digest }, what);
  return { mediaType: rootMediaType(fetched, what), digest, sizeBytes: bytes.length, annotations: {} };
}

/** The media type of a root. If a registry answers `application/json` or `text/plain`, it is taken from the document. */
function rootMediaType({ bytes, headers }: FetchedDocument, what: string): string {
  const stated = headers["content-type"] ?? "";
  if (findMediaTypeKind(stated) !== undefined) return stated;
  const document = parseJson(bytes, what);
  if (typeof document !== "object" || Array.isArray(document)) return stated;
  const members = new Map(Object.entries(document));
  const own = members.get("mediaType");
  if (typeof own === "string") return own;
  if (members.has("manifests")) return "application/vnd.oci.image.index.v1+json";
  return members.has("layers") ? "application/vnd.oci.image.manifest.v1+json" : stated;
}
