import type { CallContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import { lockRepository } from "./queries/blobs.ts";
import { findStoredManifest } from "./queries/manifest-content.ts";
import { deleteEndedLifetimes, deleteLifetime } from "./queries/tags.ts";
import { logPlace, type TagOf } from "./tag-of.ts";
import { endTag } from "./tags.ts";

/** Which lifetimes of a tag are removed for good. */
export interface TagExpiry {
  /** Whether the tag is alive, and ends now. Otherwise those that ended with the manifest are removed. */
  readonly is_alive?: boolean;
  readonly manifest_digest?: string;
}

/**
 * Removes a tag for good: unlike a deleted one, it cannot be restored, and the next collection frees its image.
 * @throws RegistryError `invalid_request`, `not_found`, `tag_immutable`
 */
export async function expireTag(
  tag: TagOf,
  { is_alive: isAlive = false, manifest_digest: digest }: TagExpiry,
  context: CallContext<"permanently_delete_tag">,
): Promise<void> {
  const { db, now, log } = context;
  const { repository, name } = tag;
  if (!isAlive && digest === undefined) throw invalidRequest("manifest_digest required when is_alive set to false");
  const { state } = await lockRepository(db, repository.id);
  if (state === "deleted") throw notFound("The repository has just been deleted");
  const place = { repositoryId: repository.id, name, now };
  const removed = isAlive ? await removeAlive(context, place) : await removeEnded(context, place, digest ?? "");
  if (!removed) throw notFound(`There is no such lifetime of the tag ${name}: list the history of the tag to see them`);
  await log("permanently_delete_tag", { ...logPlace(tag, context), manifest_digest: digest ?? null });
}

type Place = Parameters<typeof endTag>[1];

async function removeAlive({ db }: CallContext, place: Place): Promise<boolean> {
  const ended = await endTag(db, place);
  if (ended !== undefined) await deleteLifetime(db, ended.id);
  return ended !== undefined;
}

async function removeEnded({ db }: CallContext, place: Place, digest: string): Promise<boolean> {
  const manifest = await findStoredManifest(db, { repositoryId: place.repositoryId, digest });
  return manifest !== undefined && (await deleteEndedLifetimes(db, place, manifest.id)) > 0;
}
