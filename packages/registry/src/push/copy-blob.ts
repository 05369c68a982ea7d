import { randomUUID } from "node:crypto";
import type { Bytes } from "@plimsoll/core";
import { type Digest, digestAlgorithm } from "@plimsoll/core/digest";
import { finishUpload, mountBlob } from "../content/finish-upload.ts";
import { findLinkedBlob } from "../content/queries/blobs.ts";
import { insertUpload, removeUploadRow } from "../content/queries/uploads.ts";
import type { UsageLimit } from "../organizations/quotas/usage-limits.ts";
import type { IntakeDeps, IntakeRequest } from "./intake-port.ts";
import { quotaGate, warningOfRefusal } from "./quota-gate.ts";

/** A blob that a manifest needs. */
export interface NeededBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly limits: readonly UsageLimit[];
  /** Receives its bytes while they are fetched, before they are checked. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/** The source and the target of a copied blob. */
export type BlobIntake = Pick<IntakeRequest, "repository" | "upstream" | "blobsFrom" | "signal">;

/** Links a stored blob to the repository, or fetches it. Its size and digest are checked before it is visible. */
export async function copyBlob(deps: IntakeDeps, request: BlobIntake, blob: NeededBlob): Promise<void> {
  const { store, clock } = deps;
  const { repository, blobsFrom, signal } = request;
  const { digest, limits } = blob;
  signal.throwIfAborted();
  if ((await findLinkedBlob(store.db, repository.id, digest)) !== undefined) return;
  const counted = { id: repository.id, namespaceId: repository.namespace_id };
  for (const fromId of blobsFrom) {
    if ((await findLinkedBlob(store.db, fromId, digest)) === undefined) continue;
    const mount = { fromId, repository: counted, digest, limits, now: clock.now() };
    if (await warningOfRefusal({ store, clock }, counted.namespaceId, () => mountBlob(store, mount))) return;
  }
  await download(deps, request, blob);
}

async function download(
  { store, blobs, clock }: IntakeDeps,
  { repository, upstream, signal }: BlobIntake,
  { digest, sizeBytes, limits, onChunk }: NeededBlob,
): Promise<void> {
  const { id: repositoryId, namespace_id: namespaceId } = repository;
  const [uploadId, now] = [randomUUID(), clock.now()];
  const gate = quotaGate({ store, clock }, { namespaceId, limits });
  const held = await gate.findHeld(digest);
  const row = { id: uploadId, repository_id: repositoryId, namespace_id: namespaceId, account_id: null, digest };
  await insertUpload(store.db, { ...row, received_bytes: 0, created_at: now, updated_at: now });
  try {
    const opened = upstream.openBlob({ digest, sizeBytes }, signal);
    const source = onChunk === undefined ? opened : telling(opened, onChunk);
    const metered = gate.meter({ uploadId, offset: 0, length: sizeBytes, digest, held, source });
    await blobs.append(uploadId, metered, { offset: 0, maxBytes: sizeBytes, algorithm: digestAlgorithm(digest) });
    const finished = { uploadId, repository: { id: repositoryId, namespaceId }, digest, limits };
    await warningOfRefusal({ store, clock }, namespaceId, () =>
      finishUpload(store, blobs, { ...finished, receivedBytes: sizeBytes, now: clock.now() }),
    );
  } catch (error) {
    await blobs.deleteUpload(uploadId);
    await removeUploadRow(store.db, uploadId);
    throw error;
  }
}

async function* telling(source: Bytes, onChunk: (chunk: Uint8Array) => void): Bytes {
  for await (const chunk of source) {
    onChunk(chunk);
    yield chunk;
  }
}
