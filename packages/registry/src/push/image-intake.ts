import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { findStoredManifest } from "../content/queries/manifest-content.ts";
import { ContentError } from "../content-error.ts";
import { RegistryError } from "../errors.ts";
import { findUsageLimits } from "../organizations/quotas/usage-limits.ts";
import { BlobStoreError } from "../ports/blob-store.ts";
import { UpstreamLimited } from "../ports/upstreams.ts";
import { type CopiedManifest, partsOf, pushedOf, readFetched } from "./copied-manifest.ts";
import { copyBlob } from "./copy-blob.ts";
import { type ImageIntake, type IntakeDeps, IntakeRefused, type IntakeRequest } from "./intake-port.ts";
import type { PushedManifest } from "./pushed-manifest.ts";
import { putManifest } from "./put-manifest.ts";
import { listDamagedBlobs } from "./queries/parts.ts";
import { warningOfRefusal } from "./quota-gate.ts";

/** Copies images of other registries into repositories. */
export function imageIntake(deps: IntakeDeps): ImageIntake {
  return {
    async copyImage(request) {
      try {
        return await copyManifest(deps, request);
      } catch (error) {
        request.signal.throwIfAborted();
        throw isRefusal(error) ? new IntakeRefused(error.message, { cause: error }) : error;
      }
    },
    healBlobs: (healing) => healBlobs(deps, healing),
  };
}

/** The repository to heal, and the other registry that has its images. */
type Healing = Parameters<ImageIntake["healBlobs"]>[0];

/** Fetches the damaged blobs of a repository anew. A blob that the other registry does not have, or that is refused, stays damaged. */
async function healBlobs(deps: IntakeDeps, healing: Healing): Promise<void> {
  const { store, settings } = deps;
  const { repository, signal } = healing;
  const damaged = await listDamagedBlobs(store.db, repository.id);
  if (damaged.length === 0) return;
  const limits = await findUsageLimits(store.db, settings, repository.namespace_id);
  for (const blob of damaged) {
    try {
      await copyBlob(deps, healing, { ...blob, limits });
    } catch (error) {
      signal.throwIfAborted();
      if (!isRefusal(error)) throw error;
    }
  }
}

/**
 * Whether an image or a blob was refused, or the other registry failed. All other errors are failures of this registry, but for a limited
 * rate: then everything else would be refused, too.
 */
function isRefusal(error: unknown): error is Error {
  if (error instanceof UpstreamLimited) return false;
  if (error instanceof BlobStoreError) return error.code === "wrong_digest" || error.code === "too_large";
  if (error instanceof RegistryError) return error.code === "tag_immutable";
  return error instanceof ScanError || error instanceof ContentError;
}

/** The deepest nesting of indexes. */
const maxDepth = 3;

/** Copies a manifest and all of its parts, except those that the repository has. @returns its digest and those of the manifests below it */
async function copyManifest(deps: IntakeDeps, request: IntakeRequest, depth = 0): Promise<readonly Digest[]> {
  const { store, settings } = deps;
  const { repository, upstream, reference, signal } = request;
  if (depth > maxDepth) throw new ContentError("manifest_invalid", `indexes are nested more than ${maxDepth} deep`);
  const fetched = await upstream.fetchManifest(reference, signal);
  const { content, manifest } = readFetched(fetched, settings);
  const below: Digest[] = [];
  for (const { digest } of manifest.children) {
    below.push(...(await copyChild(deps, { ...request, reference: digest, tags: [] }, depth + 1)));
  }
  const limits = await findUsageLimits(store.db, settings, repository.namespace_id);
  for (const blob of partsOf(manifest)) await copyBlob(deps, request, { ...blob, limits });
  signal.throwIfAborted();
  await put(deps, request, { digest: fetched.digest, content, manifest, limits });
  return [fetched.digest, ...below];
}

/** Copies a manifest of an index, unless the repository has it: then it has all of its parts. */
async function copyChild(deps: IntakeDeps, request: IntakeRequest, depth: number): Promise<readonly Digest[]> {
  const { repository, reference } = request;
  const known = await findStoredManifest(deps.store.db, { repositoryId: repository.id, digest: reference });
  if (known === undefined || known.deleted_at !== null || known.is_index === 1)
    return copyManifest(deps, request, depth);
  return [known.digest as Digest];
}

async function put(
  deps: IntakeDeps,
  { repository, tags }: IntakeRequest,
  brought: Omit<CopiedManifest, "repository">,
): Promise<void> {
  const { store, settings, clock, pageAddress } = deps;
  const emitsEvents = settings.features.repositoryNotifications;
  const pushed: PushedManifest = { ...(await pushedOf(deps, { repository, ...brought })), tags, emitsEvents };
  await warningOfRefusal({ store, clock }, repository.namespace_id, () =>
    store.transaction(async (db) => {
      await putManifest({ db, settings, clock, pageAddress }, pushed);
    }),
  );
}
