import type { Digest } from "@plimsoll/core/digest";
import { ifWritable } from "@plimsoll/store";
import type { ImageRepository } from "../../access/queries.ts";
import { findStoredManifest, type ImageManifestRow } from "../../content/queries/manifest-content.ts";
import { reviveManifest, setTagEnd } from "../../content/queries/tags.ts";
import { findAliveTag, putTag } from "../../content/tags.ts";
import { keepUntil, listIndexesOf } from "../../push/queries/manifests.ts";
import type { Reference } from "../../push/reference.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { ProxyDeps } from "./proxy-deps.ts";
import { findPull, listReferencesTo, putPull } from "./queries/arriving.ts";
import type { ProxyCacheRow } from "./queries/proxy-caches.ts";

/** A reference that was pulled, and the digest to which it points at the other registry. */
export interface PulledReference {
  readonly cache: ProxyCacheRow;
  readonly repository: ImageRepository;
  readonly reference: Reference;
  readonly digest: Digest;
  readonly now: number;
}

/** A pull of the same image is stored again after this time at the earliest. */
const noteEveryMs = 60_000;

/** Stores a pull. Extends the life of the image, and points its tag to the same digest as at the other registry. */
export async function notePull(deps: ProxyDeps, pulled: PulledReference): Promise<void> {
  const { store } = deps;
  const { repository, reference, digest, now } = pulled;
  const name = reference.kind === "tag" ? reference.name : digest;
  if (reference.kind === "digest" && (await isKeptByOthers(store.db, repository, digest))) return;
  await ifWritable(async () => {
    const last = await findPull(store.db, { repositoryId: repository.id, reference: name });
    if (last?.digest !== digest || now - last.pulled_at >= noteEveryMs) {
      const row = { repository_id: repository.id, namespace_id: repository.namespace_id, reference: name };
      await putPull(store.db, { ...row, digest, pulled_at: now });
    }
    // After the pull is stored: an image that is stored in the meantime is either found here, or its transaction finds the pull.
    const held = await findStoredManifest(store.db, { repositoryId: repository.id, digest });
    if (held !== undefined) await keep(deps, pulled, held);
  });
}

/** Whether a pulled tag points to a manifest, or the manifest belongs to an index. It then lives as long as the tag or the index. */
async function isKeptByOthers(db: RegistryDb, { id }: ImageRepository, digest: Digest): Promise<boolean> {
  const at = { repositoryId: id, digest };
  const references = await listReferencesTo(db, at);
  return references.some((name) => name !== digest) || (await listIndexesOf(db, at)).length > 0;
}

async function keep(
  { store }: ProxyDeps,
  { cache, repository, reference, now }: PulledReference,
  held: ImageManifestRow,
): Promise<void> {
  const endAt = endOf(cache, now);
  if (reference.kind === "digest") {
    const until = endAt ?? Number.MAX_SAFE_INTEGER;
    if (until - held.kept_until >= noteEveryMs) await keepUntil(store.db, held.id, until);
    if (held.deleted_at !== null) await reviveManifest(store.db, held.id);
    return;
  }
  const at = { repositoryId: repository.id, name: reference.name, now };
  const tag = await findAliveTag(store.db, at);
  if (tag?.manifest_id !== held.id || held.deleted_at !== null) {
    await store.transaction((db) => putTag(db, { ...at, manifestId: held.id, endAt }));
    return;
  }
  const isLater = endAt === undefined ? tag.end_at !== null : endAt - (tag.end_at ?? 0) >= noteEveryMs;
  if (isLater || (endAt !== undefined && tag.end_at === null)) await setTagEnd(store.db, { id: tag.id, now, endAt });
}

/** When an image that is pulled now expires, unless it is pulled again; undefined: never. */
export function endOf({ expiration_s }: Pick<ProxyCacheRow, "expiration_s">, now: number): number | undefined {
  return expiration_s === null ? undefined : now + 1000 * expiration_s;
}

/** Points the pulled tags to a manifest that was just stored. Must run in a transaction that has locked the repository. */
export async function putPulledTags(
  db: RegistryDb,
  { cache, repository, digest, manifestId, now }: Omit<PulledReference, "reference"> & { readonly manifestId: string },
): Promise<void> {
  const endAt = endOf(cache, now);
  for (const name of await listReferencesTo(db, { repositoryId: repository.id, digest })) {
    const at = { repositoryId: repository.id, name, now };
    if (name === digest) await keepUntil(db, manifestId, endAt ?? Number.MAX_SAFE_INTEGER);
    else if ((await findAliveTag(db, at))?.manifest_id !== manifestId) await putTag(db, { ...at, manifestId, endAt });
  }
}
