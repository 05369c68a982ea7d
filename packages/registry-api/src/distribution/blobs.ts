import type { ServerResponse } from "node:http";
import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
import { type ResumableBody, rangeCounts, sendBody } from "@plimsoll/http";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { unmountBlob } from "@plimsoll/registry/content/finish-upload";
import { findLinkedBlob, type LinkedBlob } from "@plimsoll/registry/content/queries/blobs";
import { ContentError } from "@plimsoll/registry/content-error";
import { isDamagedHere } from "@plimsoll/registry/distribution/queries";
import { type BlobStore, type ByteRange, isLostBlob } from "@plimsoll/registry/ports/blob-store";
import { type ArrivingBlob, isPulledThrough } from "@plimsoll/registry/push/pull-through";
import { isLinkOld, renewLink } from "@plimsoll/registry/push/renew-link";
import { checkBlobPull } from "./check-blob-pull.ts";
import { answerUnchanged, checkConditions } from "./conditions.ts";
import { type Distribution, type Endpoint, type OfDigest, sendEmpty } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { parseRange } from "./ranges.ts";

/** `HEAD /v2/<name>/blobs/<digest>` */
export const headBlob: Endpoint<OfDigest> = async (distribution, exchange, repository) => {
  const blob = await getPulledBlob(distribution, repository, exchange.params.digest);
  if ("read" in blob) {
    exchange.response.writeHead(200, { ...blobHeaders(blob.digest), "content-length": blob.sizeBytes }).end();
    return;
  }
  const checked = { repository, blob, now: exchange.now };
  const mayPush = () => exchange.caller.allows(`${repository.namespace}/${repository.name}`, "push");
  if (isLinkOld(checked) && mayPush()) await renewLink(distribution.registry.store.db, checked);
  const headers = blobHeaders(blob.digest);
  if (answerUnchanged(exchange, blob.digest, validatorsOf(headers))) return;
  exchange.response.writeHead(200, { ...headers, "content-length": blob.size_bytes }).end();
};

/** `GET /v2/<name>/blobs/<digest>` */
export const getBlobContent: Endpoint<OfDigest> = async (distribution, exchange, repository) => {
  const { request, response } = exchange;
  const { digest: wanted } = exchange.params;
  let blob = await getPulledBlob(distribution, repository, wanted).catch(async (error: unknown) => {
    throw await explainLoss(distribution, { repository, digest: wanted, error });
  });
  await checkBlobPull(distribution, exchange, { repository, digest: blob.digest });
  if ("read" in blob) {
    if (request.headers.range === undefined) return sendArriving(response, distribution.blobs, blob);
    await blob.arrive(); // ranges are only served of complete blobs
    blob = await getBlob(distribution, repository, exchange.params.digest);
  }
  const { digest: text, size_bytes } = blob;
  const digest = parseDigest(text);
  const headers = blobHeaders(digest);
  if (answerUnchanged(exchange, digest, validatorsOf(headers))) return;
  const address = await distribution.blobs.findAddress(digest);
  if (address !== undefined) return sendEmpty(response, 307, { location: address, "docker-content-digest": digest });

  const { range, "if-range": ifRange } = request.headers;
  const requested = parseRange(rangeCounts(ifRange, digest) ? range : undefined, size_bytes);
  if (requested.kind === "unsatisfiable") {
    return sendEmpty(response, 416, { ...headers, "content-range": `bytes */${size_bytes}` });
  }
  const isWhole = requested.kind === "whole";
  const { first, last } = isWhole ? { first: 0, last: size_bytes - 1 } : requested.range;
  const lengthBytes = last - first + 1;
  const partHeaders = isWhole ? {} : { "content-range": `bytes ${first}-${last}/${size_bytes}` };
  const head = () =>
    response.writeHead(isWhole ? 200 : 206, { ...headers, ...partHeaders, "content-length": lengthBytes });
  const send = () => sendBody(response, contentOf(distribution.blobs, digest, { first, last }), { head, lengthBytes });
  await send().catch(async (error: unknown) => {
    const arriving = await fetchAgain(distribution, response, { repository, digest, error });
    if (isWhole) return sendArriving(response, distribution.blobs, arriving);
    await arriving.arrive();
    await send();
  });
};

/** A blob of a cache whose content turns out to be lost before any of it was sent: it is copied from the other registry once more. */
async function fetchAgain(
  { pullThrough }: Distribution,
  response: ServerResponse,
  {
    repository,
    digest,
    error,
  }: { readonly repository: ImageRepository; readonly digest: Digest; readonly error: unknown },
): Promise<ArrivingBlob> {
  if (!isLostBlob(error) || response.headersSent || pullThrough === undefined || !isPulledThrough(repository))
    throw error;
  const arriving = await pullThrough.findBlob(repository, digest);
  if (arriving === undefined) throw error;
  return arriving;
}

/** Sends a blob while it arrives from the other registry. A client that pauses gets the rest from the store. */
async function sendArriving(response: ServerResponse, blobs: BlobStore, blob: ArrivingBlob): Promise<void> {
  const { digest, sizeBytes } = blob;
  const whole = { first: 0, last: sizeBytes - 1 };
  const stored = contentOf(blobs, digest, whole);
  const from = (position: number) => (position === 0 ? blob.read() : afterArrival(blob, stored.from(position)));
  const head = () => response.writeHead(200, { ...blobHeaders(digest), "content-length": sizeBytes });
  await sendBody(response, { from }, { head, lengthBytes: sizeBytes });
}

async function* afterArrival(blob: ArrivingBlob, stored: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  await blob.arrive();
  yield* stored;
}

/** A range of a blob, which can be read from any position in it. */
function contentOf(blobs: BlobStore, digest: Digest, { first, last }: ByteRange): ResumableBody {
  return {
    from(position) {
      if (position === 0 && last < first) return blobs.read(digest, undefined, { use: "once" }); // an empty blob has no range
      return first + position > last ? empty() : blobs.read(digest, { first: first + position, last }, { use: "once" });
    },
  };
}

async function* empty(): AsyncIterable<Uint8Array> {}

/** `DELETE /v2/<name>/blobs/<digest>`: unlinks the blob from the repository. A blob that a manifest needs cannot be deleted. */
export const deleteBlob: Endpoint<OfDigest> = async (distribution, exchange, repository) => {
  const { digest } = await getBlob(distribution, repository, exchange.params.digest);
  checkConditions(exchange.request.headers, digest);
  const counted = { id: repository.id, namespaceId: repository.namespace_id };
  const isUnlinked = await unmountBlob(distribution.registry.store, counted, parseDigest(digest));
  if (!isUnlinked) {
    throw new DistributionError(
      "UNSUPPORTED",
      "a manifest of the repository needs the blob, or a deleted one that can be restored does",
    );
  }
  sendEmpty(exchange.response, 202, { "docker-content-digest": digest });
};

/** A blob of the repository; in a cache, also one that the other registry has. @throws DistributionError `DIGEST_INVALID`, `BLOB_UNKNOWN` */
async function getPulledBlob(
  distribution: Distribution,
  repository: ImageRepository,
  text: string,
): Promise<LinkedBlob | ArrivingBlob> {
  const { registry, pullThrough } = distribution;
  if (pullThrough === undefined || !isPulledThrough(repository)) return getBlob(distribution, repository, text);
  const digest = checkedDigest(text);
  const held = await findLinkedBlob(registry.store.db, repository.id, digest);
  const blob = held ?? (await pullThrough.findBlob(repository, digest));
  if (blob === undefined) throw unknownBlob(digest);
  return blob;
}

/** Why a blob is unknown that the repository should have: its content was lost. HEAD has no body, so it does not ask. */
async function explainLoss(
  { registry }: Distribution,
  {
    repository,
    digest,
    error,
  }: { readonly repository: ImageRepository; readonly digest: string; readonly error: unknown },
): Promise<unknown> {
  if (!isUnknown(error)) return error;
  if (!(await isDamagedHere(registry.store.db, repository.id, digest))) return error;
  const message =
    "the content of the blob is lost or damaged in the store of the registry: push the image again, which sends it anew, or ask the operator to restore it from a backup";
  return new DistributionError("BLOB_UNKNOWN", message, { detail: { digest, damaged: true }, cause: error });
}

function isUnknown(error: unknown): boolean {
  if (error instanceof ContentError) return error.code === "blob_unknown";
  return error instanceof DistributionError && error.code === "BLOB_UNKNOWN";
}

function checkedDigest(text: string): Digest {
  if (!isDigest(text)) throw new DistributionError("DIGEST_INVALID", "the digest is malformed or not supported");
  return parseDigest(text);
}

async function getBlob({ registry }: Distribution, repository: ImageRepository, text: string): Promise<LinkedBlob> {
  const digest = checkedDigest(text);
  const blob = await findLinkedBlob(registry.store.db, repository.id, digest);
  if (blob === undefined) throw unknownBlob(digest);
  return blob;
}

function blobHeaders(digest: Digest | string) {
  return {
    "content-type": "application/octet-stream",
    "docker-content-digest": digest,
    "accept-ranges": "bytes",
    etag: `"${digest}"`,
    "cache-control": "private, max-age=31536000, immutable",
  };
}

/** The headers of a 304 response: RFC 9110 §15.4.5. */
function validatorsOf(headers: ReturnType<typeof blobHeaders>) {
  const { etag, "cache-control": caching, "docker-content-digest": digest } = headers;
  return { etag, "cache-control": caching, "docker-content-digest": digest };
}

function unknownBlob(digest: string): DistributionError {
  return new DistributionError("BLOB_UNKNOWN", "blob unknown to registry", { detail: { digest } });
}
