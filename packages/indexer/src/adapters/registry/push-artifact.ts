import { createHash } from "node:crypto";
import { type Bytes, ScanError } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { formatImageReference, type ImageReference, parseImageReference } from "@plimsoll/core/image";
import {
  discardBody,
  isPassingError,
  isPassingStatus,
  type RetryAdvice,
  startDeadline,
  withRetries,
} from "@plimsoll/outbound";
import type { Endpoint } from "./endpoint.ts";
import { connectRegistry, type RegistryConnection, type RegistryOptions } from "./from-registry.ts";
import { StatusError, toScanError } from "./refusal.ts";

/** A file to push. */
export interface ArtifactFile {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** Opens the file from the beginning; retries call it again. */
  open(): Bytes;
}

/** An artifact to push: one file with a type and annotations. */
export interface Artifact {
  readonly artifactType: string;
  readonly file: ArtifactFile;
  readonly annotations: Readonly<Record<string, string>>;
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const emptyConfig = new TextEncoder().encode("{}");
const emptyType = "application/vnd.oci.empty.v1+json";

/**
 * Pushes an artifact to a registry under a tag. Existing blobs are not sent again. The tag moves last, so that a concurrent pull gets the
 * earlier artifact completely. The same artifact always has the same digest.
 * @param reference with a tag: `registry.example.com/team/advisories:latest`
 * @returns the digest of its manifest
 * @throws ScanError `unsupported_source` for a reference with a digest, `unauthorized`, `source_unreachable`, `timed_out`, `aborted`
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#push
 * @example
 * declare const artifact: Artifact;
 * const digest = await pushArtifact("registry.example.com/team/advisories:latest", artifact);
 */
export async function pushArtifact(
  reference: string,
  artifact: Artifact,
  { mirrors: _, signal, ...options }: RegistryOptions & { readonly signal?: AbortSignal } = {},
): Promise<Digest> {
  const parsed = parseImageReference(reference);
  if (parsed.digest !== undefined) {
    throw new ScanError("unsupported_source", `${reference}: expected a tag to push to, found a digest`);
  }
  const connection = await connectRegistry(parsed, options);
  await using _client = connection.client;
  const deadline = startDeadline(connection.timeouts.layerMs, `pushing ${reference}`, signal);
  try {
    return await push(connection, parsed, { artifact, signal: deadline.signal });
  } catch (error) {
    deadline.throwIfEnded(error);
    throw toScanError(error, parsed.registry, formatImageReference(parsed));
  }
}

interface Push {
  readonly artifact: Artifact;
  readonly signal: AbortSignal;
}

async function push(
  { endpoints, retry }: RegistryConnection,
  reference: ImageReference,
  { artifact, signal }: Push,
): Promise<Digest> {
  const endpoint = endpoints.at(-1);
  if (endpoint === undefined) throw new TypeError("expected an endpoint of the registry, found none");
  const retrying = <T>(act: () => Promise<T>) => withRetries(retry, act, { signal, adviceOf });
  const config = { digest: digestOf(emptyConfig), sizeBytes: emptyConfig.length, open: () => once(emptyConfig) };
  for (const blob of [config, artifact.file]) await retrying(() => pushBlob(endpoint, blob, signal));
  const manifest = new TextEncoder().encode(JSON.stringify(manifestOf(artifact, config)));
  await retrying(async () => {
    const headers = { "content-type": manifestType };
    const path = `manifests/${reference.tag ?? "latest"}`;
    await discardBody(await endpoint.send(path, { method: "PUT", headers, body: manifest, expected: [201], signal }));
  });
  return digestOf(manifest);
}

function adviceOf(error: unknown): RetryAdvice {
  return { isPassing: error instanceof StatusError ? isPassingStatus(error.status) : isPassingError(error) };
}

type Blob = Pick<ArtifactFile, "digest" | "sizeBytes" | "open">;

async function pushBlob(endpoint: Endpoint, { digest, sizeBytes, open }: Blob, signal: AbortSignal): Promise<void> {
  const found = await endpoint.send(`blobs/${digest}`, { method: "HEAD", expected: [200, 404], signal });
  await discardBody(found);
  if (found.status === 200) return;
  const begun = await endpoint.send("blobs/uploads/", { method: "POST", expected: [202], signal });
  await discardBody(begun);
  const location = begun.headers.location;
  if (typeof location !== "string") {
    throw new ScanError("source_unreachable", `${endpoint.host}: expected a Location for the upload, found none`);
  }
  const place = new URL(location, begun.url);
  place.searchParams.set("digest", digest);
  const headers = { "content-type": "application/octet-stream", "content-length": String(sizeBytes) };
  await discardBody(await endpoint.send(place, { method: "PUT", headers, body: open, expected: [201], signal }));
}

async function* once(bytes: Uint8Array): Bytes {
  yield bytes;
}

function manifestOf({ artifactType, file, annotations }: Artifact, config: Blob): object {
  const { mediaType, digest, sizeBytes } = file;
  return {
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType,
    config: { mediaType: emptyType, digest: config.digest, size: config.sizeBytes },
    layers: [{ mediaType, digest, size: sizeBytes }],
    annotations,
  };
}

function digestOf(bytes: Uint8Array): Digest {
  return parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
}
