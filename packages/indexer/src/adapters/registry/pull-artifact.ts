import { createHash } from "node:crypto";
import { type Bytes, ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { parseImageReference } from "@plimsoll/core/image";
import { parseImageManifest } from "@plimsoll/core/internal";
import { fetchBlob } from "./fetch-blob.ts";
import { connectRegistry, type RegistryOptions } from "./from-registry.ts";
import { openRegistryStore } from "./registry-store.ts";

/** An artifact with one file in a registry. */
export interface FoundArtifact extends AsyncDisposable {
  /** The digest of its manifest. */
  readonly digest: Digest;
  readonly annotations: Readonly<Record<string, string>>;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Streams its file. Digest and size are checked before the last chunk is yielded. */
  open(): Bytes;
}

/**
 * Finds an artifact in a registry.
 * @param artifactType the expected type
 * @throws ScanError `not_found`, `unauthorized`, `source_unreachable`, `digest_mismatch`, `malformed_image` for another kind of
 * artifact, `timed_out`, `aborted`
 * @example
 * await using artifact = await findArtifact("registry.example.com/team/advisories:latest", "application/vnd.example+zstd");
 */
export async function findArtifact(
  reference: string,
  artifactType: string,
  { signal, ...options }: RegistryOptions & { readonly signal?: AbortSignal } = {},
): Promise<FoundArtifact> {
  const parsed = parseImageReference(reference);
  const { client, endpoints, retry, timeouts } = await connectRegistry(parsed, options);
  await using resources = new AsyncDisposableStack();
  resources.use(client);
  const waits = { documentTimeoutMs: timeouts.documentMs, layerTimeoutMs: timeouts.layerMs };
  const store = openRegistryStore({ endpoints, retry, ...waits, signal });
  const root = await store.findRoot(parsed);
  const manifest = parseImageManifest(await store.readDocument(root), `manifest ${root.digest}`);
  const [layer, ...more] = manifest.layers;
  if (manifest.artifactType !== artifactType || layer === undefined || more.length > 0) {
    throw new ScanError(
      "malformed_image",
      `${reference}: expected an artifact of the type ${artifactType} with one file, found something else`,
    );
  }
  const owned = resources.move();
  const { digest, sizeBytes, mediaType } = layer;
  return {
    digest: root.digest,
    annotations: manifest.annotations,
    mediaType,
    sizeBytes,
    open: () => {
      const request = { endpoints, retry, digest, sizeBytes, timeoutMs: timeouts.layerMs, signal };
      return checked(fetchBlob(request), digest);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The same bytes; the last chunk is held back until the digest of all bytes is checked. */
async function* checked(source: Bytes, digest: Digest): Bytes {
  const [algorithm = "", promised] = digest.split(":");
  const hash = createHash(algorithm);
  let last: Uint8Array | undefined;
  for await (const chunk of source) {
    hash.update(chunk);
    if (last !== undefined) yield last;
    last = chunk.slice(); // the source may reuse the buffer
  }
  const found = hash.digest("hex");
  if (found !== promised) {
    throw new ScanError("digest_mismatch", `expected a file with the digest ${digest}, found ${algorithm}:${found}`);
  }
  if (last !== undefined) yield last;
}
