import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
import { accountOf } from "@plimsoll/registry/access/principal";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { finishUpload, mountBlob } from "@plimsoll/registry/content/finish-upload";
import { ContentError } from "@plimsoll/registry/content-error";
import { type AdmittedPush, beginPush, type PushSubject } from "@plimsoll/registry/distribution/begin-push";
import { repositoryActions } from "@plimsoll/registry/distribution/repository-actions";
import { removeUpload } from "@plimsoll/registry/lifecycle/collection/collect-uploads";
import type { CountedRepository } from "@plimsoll/registry/organizations/quotas/queries/usage";
import type { UsageLimit } from "@plimsoll/registry/organizations/quotas/usage-limits";
import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { type HeldBlob, type QuotaGate, quotaGate, warningOfRefusal } from "@plimsoll/registry/push/quota-gate";
import { beginUpload, cancelUpload as cancelStored } from "@plimsoll/registry/push/uploads";
import { leavesGate } from "@plimsoll/registry/security/pull-gate/decide-pull";
import { isRepositoryPath } from "@plimsoll/registry/values/names";
import { type Static, Type } from "typebox";
import { canonicalPath } from "./access.ts";
import {
  type Distribution,
  type Endpoint,
  type Exchange,
  type OfName,
  type OfUpload,
  pusherOf,
  sendEmpty,
} from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { QueryText } from "./lists.ts";
import { receiveChunk } from "./receive-chunk.ts";

/** An unfinished upload. */
interface Upload {
  readonly id: string;
  readonly repository: CountedRepository;
  /** The limits of its namespace. */
  readonly limits: readonly UsageLimit[];
}

/** The digest of what is uploaded. */
export const DigestQuery = Type.Object({ digest: QueryText });
type DigestQuery = Static<typeof DigestQuery>;

/** A whole blob, or a blob of another repository. */
export const StartQuery = Type.Object({ ...DigestQuery.properties, mount: QueryText, from: QueryText });
type StartQuery = Static<typeof StartQuery>;

/** `POST /v2/<name>/blobs/uploads/`: begins an upload, mounts a blob, or receives a whole blob. */
export const startUpload: Endpoint<OfName, PushSubject, StartQuery> = async (distribution, exchange, subject) => {
  const { query, response, params } = exchange;
  const push = await beginPush(distribution.registry, subject, pusherOf(exchange));
  const mounted = await tryMount(distribution, exchange, push);
  if (mounted !== undefined) return sendCreated(exchange, mounted);
  const digest = query.digest === undefined ? undefined : wantedDigest(query.digest);
  const { repository, limits } = push;
  const gate = quotaGate(distribution.registry, { namespaceId: repository.namespace_id, limits });
  const held = digest === undefined ? undefined : await gate.findHeld(digest);
  if (held === undefined) await gate.checkStart(digest);
  const accountId = accountOf(exchange.caller.principal)?.id;
  const id = await beginUpload(distribution.registry, { repository, accountId, digest, now: exchange.now });
  const upload = { id, repository: counted(repository), limits };
  if (digest !== undefined) return receiveAtOnce(distribution, exchange, { upload, digest, held });
  sendEmpty(response, 202, {
    location: `/v2/${params.name}/blobs/uploads/${upload.id}`,
    range: "0-0",
    "docker-upload-uuid": upload.id,
  });
};

/** `GET /v2/<name>/blobs/uploads/<upload>` */
export const getUpload: Endpoint<OfUpload, AdmittedPush> = async (distribution, exchange, push) => {
  const { id } = getUploadOf(exchange, push);
  const received = await distribution.blobs.countReceived(id);
  sendEmpty(exchange.response, 204, uploadHeaders(exchange, id, received));
};

/** `PATCH /v2/<name>/blobs/uploads/<upload>`: adds a chunk, or a stream of unknown length. */
export const continueUpload: Endpoint<OfUpload, AdmittedPush> = async (distribution, exchange, push) => {
  const upload = getUploadOf(exchange, push);
  const received = await receive(distribution, exchange, { upload });
  sendEmpty(exchange.response, 202, uploadHeaders(exchange, upload.id, received));
};

/** `PUT /v2/<name>/blobs/uploads/<upload>?digest=`: adds the rest, if there is one, and makes the upload a blob. */
export const completeUpload: Endpoint<OfUpload, AdmittedPush, DigestQuery> = async (distribution, exchange, push) => {
  const upload = getUploadOf(exchange, push);
  const digest = wantedDigest(exchange.query.digest);
  const held = await gateOf(distribution, upload).findHeld(digest);
  await receiveWhole(distribution, exchange, { upload, digest, held });
};

/** `DELETE /v2/<name>/blobs/uploads/<upload>` */
export const cancelUpload: Endpoint<OfUpload, AdmittedPush> = async (distribution, exchange, push) => {
  const { id } = getUploadOf(exchange, push);
  await discard(distribution, id);
  sendEmpty(exchange.response, 204, { "docker-upload-uuid": id });
};

interface Receiving {
  readonly upload: Upload;
  readonly digest?: Digest;
  readonly held?: HeldBlob | undefined;
}

/** An upload whose last bytes the request has. */
type ReceivingWhole = Receiving & Required<Pick<Receiving, "digest">>;

/** Receives a blob in one request. The client has no address to resume it, so a failed upload leaves nothing behind. */
async function receiveAtOnce(distribution: Distribution, exchange: Exchange, upload: ReceivingWhole): Promise<void> {
  try {
    await receiveWhole(distribution, exchange, upload);
  } catch (error) {
    await discardStored(distribution, upload.upload.id);
    throw error;
  }
}

async function receiveWhole(
  distribution: Distribution,
  exchange: Exchange,
  { upload, digest, held }: ReceivingWhole,
): Promise<void> {
  const { registry, blobs, observations } = distribution;
  const { id: uploadId, repository, limits } = upload;
  const receivedBytes = await receive(distribution, exchange, { upload, digest, held });
  const finished = { uploadId, repository, digest, limits, receivedBytes, now: exchange.now };
  try {
    const sizeBytes = await warningOfRefusal(registry, repository.namespaceId, () =>
      finishUpload(registry.store, blobs, finished),
    );
    observations.commit(upload.id, { digest, sizeBytes });
  } catch (error) {
    if (error instanceof BlobStoreError && error.code === "wrong_digest") await discard(distribution, upload.id);
    if (isDenied(error)) await discardStored(distribution, upload.id);
    throw error;
  }
  sendCreated(exchange, digest);
}

/** Adds the body to an upload. The error for a wrong offset has the offset at which the client must continue. */
async function receive(
  distribution: Distribution,
  exchange: Exchange,
  { upload, digest, held }: Receiving,
): Promise<number> {
  const gate = gateOf(distribution, upload);
  try {
    return await receiveChunk(distribution, exchange, { uploadId: upload.id, digest, held, meter: gate.meter });
  } catch (error) {
    if (error instanceof BlobStoreError && error.code === "wrong_offset")
      throw await wrongOffset(distribution, exchange, upload.id);
    const isUncounted = held !== undefined || (await gate.needsDamage());
    if (isUncounted || endsUpload(error)) await discard(distribution, upload.id);
    throw error;
  }
}

/** Whether nothing can be added to an upload after an error: it is over the quota, too large, or was cancelled meanwhile. */
function endsUpload(error: unknown): boolean {
  if (error instanceof BlobStoreError) return error.code === "too_large";
  return error instanceof ContentError && (error.code === "quota_exceeded" || error.code === "upload_unknown");
}

function gateOf(distribution: Distribution, { repository: { namespaceId }, limits }: Upload): QuotaGate {
  return quotaGate(distribution.registry, { namespaceId, limits });
}

function isDenied(error: unknown): boolean {
  return error instanceof ContentError && error.code === "quota_exceeded";
}

async function wrongOffset({ blobs }: Distribution, exchange: Exchange, id: string): Promise<DistributionError> {
  const received = await blobs.countReceived(id);
  const headers = uploadHeaders(exchange, id, received);
  return new DistributionError("RANGE_INVALID", `the upload continues at byte ${received}`, { headers });
}

async function tryMount(
  distribution: Distribution,
  exchange: Exchange<OfName, StartQuery>,
  { repository, limits }: AdmittedPush,
): Promise<Digest | undefined> {
  const { now } = exchange;
  const { mount, from } = exchange.query;
  if (mount === undefined || from === undefined || !isDigest(mount)) return undefined;
  const source = await findReadable(distribution, exchange, from);
  if (source === undefined || leavesGate(source, repository)) return undefined;
  const digest = parseDigest(mount);
  const { registry } = distribution;
  const { id, namespace_id: namespaceId } = repository;
  const request = { fromId: source.id, repository: { id, namespaceId }, digest, limits, now };
  const isMounted = await warningOfRefusal(registry, namespaceId, () => mountBlob(registry.store, request));
  return isMounted ? digest : undefined;
}

/** The source repository of a mount, if the caller may read it and the caller's token covers it. */
async function findReadable(
  { registry: { store, settings } }: Distribution,
  { caller }: Exchange,
  path: string,
): Promise<ImageRepository | undefined> {
  if (!isRepositoryPath(path)) return undefined;
  const { repository, actions } = await repositoryActions({ db: store.db, settings }, caller.principal, path);
  return actions.has("pull") && caller.allows(canonicalPath(path), "pull") ? repository : undefined;
}

/** @throws DistributionError `BLOB_UPLOAD_UNKNOWN` */
function getUploadOf({ params: { upload: id } }: Exchange<OfUpload>, push: AdmittedPush): Upload {
  const { repository, limits, hasUpload } = push;
  if (!hasUpload) throw new DistributionError("BLOB_UPLOAD_UNKNOWN", "blob upload unknown to registry");
  return { id, repository: counted(repository), limits };
}

function counted({ id, namespace_id: namespaceId }: ImageRepository): CountedRepository {
  return { id, namespaceId };
}

async function discard({ registry, blobs, observations }: Distribution, uploadId: string): Promise<void> {
  observations.abandon(uploadId);
  await cancelStored({ store: registry.store, blobs }, uploadId);
}

/** As {@link discard}, and deletes the blob that the upload may have become if nothing refers to it. */
async function discardStored({ registry, blobs, observations }: Distribution, uploadId: string): Promise<void> {
  observations.abandon(uploadId);
  await removeUpload(registry.store, blobs, uploadId);
}

function wantedDigest(text: string | undefined): Digest {
  if (text !== undefined && isDigest(text)) return parseDigest(text);
  throw new DistributionError("DIGEST_INVALID", "expected the parameter digest: sha256 or sha512 and hex digits");
}

/** The headers with the progress of an upload. An upload without bytes has `0-0`, as clients expect. */
function uploadHeaders({ params }: Exchange, id: string, received: number): Record<string, string> {
  return {
    location: `/v2/${params.name}/blobs/uploads/${id}`,
    range: `0-${Math.max(0, received - 1)}`,
    "docker-upload-uuid": id,
  };
}

function sendCreated({ params, response }: Exchange, digest: Digest): void {
  sendEmpty(response, 201, { location: `/v2/${params.name}/blobs/${digest}`, "docker-content-digest": digest });
}
