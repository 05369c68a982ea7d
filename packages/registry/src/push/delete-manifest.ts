import type { ImageRepository } from "../access/queries.ts";
import { noteChangedManifest } from "../content/attached-changes.ts";
import { forgetPushed } from "../content/attachers.ts";
import { lockRepository } from "../content/queries/blobs.ts";
import { listAliveTagsOf } from "../content/queries/tags.ts";
import { endTag } from "../content/tags.ts";
import { ContentError } from "../content-error.ts";
import type { Deps } from "../deps.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { findIndexOf, findManifestId, markDeleted } from "./queries/manifests.ts";
import { findReferenced, type Reference } from "./reference.ts";

/** A tag to end, or a manifest to delete. */
export interface Deletion {
  readonly repository: ImageRepository;
  readonly reference: Reference;
  readonly now: number;
  /** Refuses the deletion because of what the reference leads to now. It is called under the lock of the repository. */
  readonly check: ((digest: string | undefined) => void) | undefined;
  /** Called for each tag that has ended. */
  readonly log: (db: RegistryDb, tag: string) => Promise<void>;
}

/**
 * Ends a tag, or deletes a manifest and ends every tag of it.
 * @throws ContentError `manifest_unknown`; `manifest_needed` if an index needs it: nothing changes then
 */
export async function deleteReferenced(
  { store, settings }: Pick<Deps, "store" | "settings">,
  { repository, reference, now, check, log }: Deletion,
): Promise<void> {
  await store.transaction(async (db) => {
    await lockRepository(db, repository.id);
    check?.((await findReferenced(db, { repositoryId: repository.id, reference, now }))?.digest);
    const names =
      reference.kind === "tag"
        ? [reference.name]
        : await hideManifest(db, settings, { repository, digest: reference.digest, now });
    for (const name of names) {
      const ended = await endTag(db, { repositoryId: repository.id, name, now });
      if (ended === undefined && reference.kind === "tag") throw unknownManifest(name);
      if (ended !== undefined) await log(db, name);
    }
  });
}

/**
 * Marks a manifest as deleted. In the reference profile, one with tags that an index needs stays.
 * @returns the names of its alive tags, which the caller must end
 * @throws ContentError as {@link deleteReferenced}
 */
async function hideManifest(
  db: RegistryDb,
  { compatibility }: Pick<Deps["settings"], "compatibility">,
  { repository, digest, now }: { readonly repository: ImageRepository; readonly digest: string; readonly now: number },
): Promise<readonly string[]> {
  const manifest = await findManifestId(db, repository.id, digest);
  if (manifest === undefined) throw unknownManifest(digest);
  const tags = await listAliveTagsOf(db, { repositoryId: repository.id, manifestId: manifest.id, now });
  const names = tags.map(({ name }) => name);
  const index = await findIndexOf(db, manifest.id);
  if (index !== undefined && compatibility === "reference") {
    if (names.length === 0) throw unknownManifest(digest);
    return names;
  }
  if (index !== undefined) {
    const message = `the image index ${index} of the repository needs the manifest: delete the index first, or only tags, by their names`;
    throw new ContentError("manifest_needed", message, { detail: { index } });
  }
  await markDeleted(db, manifest.id, now);
  await forgetPushed(db, manifest.id);
  await noteChangedManifest(db, { repositoryId: repository.id, manifestId: manifest.id, now });
  return names;
}

function unknownManifest(reference: string): ContentError {
  return new ContentError("manifest_unknown", "manifest unknown to registry", { detail: { reference } });
}
