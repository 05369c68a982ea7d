import { createHash } from "node:crypto";
import { type Bytes, ScanError } from "@plimsoll/core";
import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
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
import { openRemoteRepository, type RemoteRepository } from "./remote-repository.ts";

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
const indexType = "application/vnd.oci.image.index.v1+json";
const configType = "application/vnd.oci.image.config.v1+json";
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
  options: RegistryOptions & { readonly signal?: AbortSignal } = {},
): Promise<Digest> {
  const parsed = parseImageReference(reference);
  if (parsed.digest !== undefined) {
    throw new ScanError("unsupported_source", `${reference}: expected a tag to push to, found a digest`);
  }
  return pushing(parsed, options, async (push) => {
    const manifest = await push.files(artifact);
    await push.manifest(parsed.tag ?? "latest", manifest);
    return digestOf(manifest);
  });
}

/** An artifact that is attached to an image. */
export interface AttachedArtifact extends Artifact {
  /** The digest of the image's manifest. */
  readonly subject: Digest;
  /** Of an attestation the type of its predicate. It is then also put where cosign looks for it: under the tag `sha256-….att`, beside those that are there. */
  readonly predicateType?: string;
  /**
   * Whether an attestation that is under that tag says and proves the same, though its bytes differ: a signature with ECDSA is another one each time. It is then the file.
   */
  isSame?(bytes: Uint8Array): boolean;
}

type PushOptions = RegistryOptions & { readonly signal?: AbortSignal };

/**
 * Attaches an artifact to an image of a registry: a referrer, whose manifest names the image as its subject. In a registry that does not list referrers, it is
 * added to the list under the tag that clients read instead.
 * @param reference of the repository: `registry.example.com/team/app:1.0`
 * @param artifact with the digest of the image's manifest
 * @returns the digest of its manifest
 * @throws ScanError as {@link pushArtifact}, `not_found` if the repository does not have the image
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pushing-manifests-with-subject
 * @example
 * declare const artifact: Artifact;
 * declare const subject: Digest;
 * const digest = await attachArtifact("registry.example.com/team/app:1.0", { ...artifact, subject });
 */
export async function attachArtifact(
  reference: string,
  { subject, predicateType, isSame = () => false, ...given }: AttachedArtifact,
  options: RegistryOptions & { readonly signal?: AbortSignal } = {},
): Promise<Digest> {
  const parsed = parseImageReference(reference);
  const { signal, mirrors: _, ...own } = options;
  await using repository = await openRemoteRepository(parsed, own);
  const { bytes, mediaType } = await repository.fetchManifest(subject, signal);
  const there =
    predicateType === undefined
      ? undefined
      : await findSame(repository, { subject, file: given.file, predicateType, signal }, isSame);
  const artifact = { ...given, file: there ?? given.file };
  return await pushing(parsed, options, async (push) => {
    const manifest = await push.files(artifact, { mediaType, digest: subject, size: bytes.length });
    const digest = digestOf(manifest);
    const { isListed } = await push.manifest(digest, manifest);
    if (predicateType !== undefined)
      await putForCosign(push, { repository, subject, file: artifact.file, predicateType, signal });
    if (isListed) return digest;
    const tag = subject.replace(":", "-");
    const { artifactType, annotations } = artifact;
    const described = { mediaType: manifestType, digest, size: manifest.length, artifactType, annotations };
    const listed = await listUnder(repository, { tag, member: "manifests", signal });
    const manifests = [...listed.filter((each) => each.digest !== digest), described];
    const list = { schemaVersion: 2, mediaType: indexType, manifests };
    await push.manifest(tag, new TextEncoder().encode(JSON.stringify(list)), indexType);
    return digest;
  });
}

/** Signatures of one key differ by a few bytes in length. */
const mostDifference = 64;
/** Of more attestations with the same type of predicate, the others are not looked at. */
const mostCompared = 32;

/** The attestation where cosign looks for it that says the same as a file. */
async function findSame(
  repository: RemoteRepository,
  { subject, file, predicateType, signal }: Omit<ForCosign, "repository">,
  isSame: (bytes: Uint8Array) => boolean,
): Promise<ArtifactFile | undefined> {
  const { mediaType } = file;
  const listed = await listUnder(repository, { tag: cosignTag(subject), member: "layers", signal });
  const alike = listed.filter(
    ({ size, annotations }) =>
      typeof size === "number" &&
      Math.abs(size - file.sizeBytes) <= mostDifference &&
      annotations?.predicateType === predicateType,
  );
  for (const each of alike.slice(0, mostCompared)) {
    const { size: sizeBytes = 0 } = each;
    if (typeof each.digest !== "string" || !isDigest(each.digest)) continue;
    const digest = parseDigest(each.digest);
    const parts: Uint8Array[] = [];
    for await (const part of repository.openBlob({ digest, sizeBytes }, signal)) parts.push(part);
    const whole = Buffer.concat(parts);
    if (digestOf(whole) === digest && isSame(whole))
      return { mediaType, digest, sizeBytes: whole.length, open: () => once(whole) };
  }
  return undefined;
}

function cosignTag(subject: Digest): string {
  return `${subject.replace(":", "-")}.att`;
}

interface ForCosign {
  readonly repository: RemoteRepository;
  readonly subject: Digest;
  readonly file: ArtifactFile;
  readonly predicateType: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Adds an attestation, whose blob is pushed already, as a layer of the image of attestations.
 * @see https://github.com/sigstore/cosign/blob/main/specs/ATTESTATION_SPEC.md
 */
async function putForCosign(
  push: Pushing,
  { repository, subject, file, predicateType, signal }: ForCosign,
): Promise<void> {
  const tag = cosignTag(subject);
  const { mediaType, digest, sizeBytes: size } = file;
  const annotations = { "dev.cosignproject.cosign/signature": "", predicateType };
  const known = await listUnder(repository, { tag, member: "layers", signal });
  if (known.some((each) => each.digest === digest)) return;
  const layers = [...known, { mediaType, digest, size, annotations }];
  const rootfs = { type: "layers", diff_ids: layers.map((each) => each.digest) };
  const time = "0001-01-01T00:00:00Z"; // as cosign writes it, so that the same attestations have the same digest
  const config = {
    architecture: "",
    created: time,
    history: layers.map(() => ({ created: time })),
    os: "",
    rootfs,
    config: {},
  };
  const bytes = new TextEncoder().encode(JSON.stringify(config));
  const described = { mediaType: configType, digest: digestOf(bytes), size: bytes.length };
  await push.blob({ digest: described.digest, sizeBytes: bytes.length, open: () => once(bytes) });
  const manifest = { schemaVersion: 2, mediaType: manifestType, config: described, layers };
  await push.manifest(tag, new TextEncoder().encode(JSON.stringify(manifest)));
}

/** A manifest with a list of descriptors. */
interface ListInManifest {
  readonly tag: string;
  readonly member: "layers" | "manifests";
  readonly signal: AbortSignal | undefined;
}

/** What another client may have written, unchecked. */
interface ListedDescriptor {
  readonly digest?: unknown;
  readonly size?: number;
  readonly annotations?: { readonly predicateType?: unknown };
}

/** The descriptors in the manifest under a tag; none if there is no such tag. */
async function listUnder(
  repository: RemoteRepository,
  { tag, member, signal }: ListInManifest,
): Promise<readonly ListedDescriptor[]> {
  try {
    const { bytes } = await repository.fetchManifest(tag, signal);
    const { [member]: list } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly [name: string]: unknown };
    return Array.isArray(list) ? list : [];
  } catch (error) {
    if (error instanceof ScanError && error.code === "not_found") return [];
    throw error;
  }
}

/** The writes of one push. */
interface Pushing {
  /** Pushes the blobs of an artifact. @returns its manifest, which is not pushed yet */
  files(artifact: Artifact, subject?: object): Promise<Uint8Array>;
  blob(blob: Blob): Promise<void>;
  /** Pushes a manifest. `isListed`: the registry lists it as a referrer of its subject. */
  manifest(name: string, bytes: Uint8Array, mediaType?: string): Promise<{ readonly isListed: boolean }>;
}

async function pushing(
  reference: ImageReference,
  { mirrors: _, signal, ...options }: PushOptions,
  act: (push: Pushing) => Promise<Digest>,
): Promise<Digest> {
  const connection = await connectRegistry(reference, options);
  await using _client = connection.client;
  const name = formatImageReference(reference);
  const deadline = startDeadline(connection.timeouts.layerMs, `pushing ${name}`, signal);
  try {
    return await act(pushOf(connection, deadline.signal));
  } catch (error) {
    deadline.throwIfEnded(error);
    throw toScanError(error, reference.registry, name);
  }
}

function pushOf({ endpoints, retry }: RegistryConnection, signal: AbortSignal): Pushing {
  const endpoint = endpoints.at(-1);
  if (endpoint === undefined) throw new TypeError("expected an endpoint of the registry, found none");
  const retrying = <T>(act: () => Promise<T>) => withRetries(retry, act, { signal, adviceOf });
  return {
    async files(artifact, subject) {
      const config = { digest: digestOf(emptyConfig), sizeBytes: emptyConfig.length, open: () => once(emptyConfig) };
      for (const blob of [config, artifact.file]) await retrying(() => pushBlob(endpoint, blob, signal));
      return new TextEncoder().encode(JSON.stringify({ ...manifestOf(artifact, config), subject }));
    },
    blob: (blob) => retrying(() => pushBlob(endpoint, blob, signal)),
    manifest: (name, body, mediaType = manifestType) =>
      retrying(async () => {
        const headers = { "content-type": mediaType };
        const answer = await endpoint.send(`manifests/${name}`, {
          method: "PUT",
          headers,
          body,
          expected: [201],
          signal,
        });
        await discardBody(answer);
        return { isListed: answer.headers["oci-subject"] !== undefined };
      }),
  };
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
