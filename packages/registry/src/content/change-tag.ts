import { accountOf, type Principal } from "../access/principal.ts";
import type { ImageRepository } from "../access/queries.ts";
import { includesRole } from "../access/roles.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest, notFound, RegistryError } from "../errors.ts";
import type { RepositoryRole } from "../store/tables/accounts.ts";
import { isTagName } from "../values/names.ts";
import { attacherOf, recordTaggedAgain } from "./attachers.ts";
import { refuseIfImmutable } from "./immutability.ts";
import { lockRepository } from "./queries/blobs.ts";
import { setImmutability } from "./queries/immutability.ts";
import { digestOf, findShownManifest, findStoredManifest } from "./queries/manifest-content.ts";
import { deleteEndedLifetimes, deleteLifetime, setTagEnd, type TagRow } from "./queries/tags.ts";
import { endTag, findAliveTag, putTag } from "./tags.ts";

/** When a tag ends, in epoch seconds. */
type Expiration = number | "never";

/** A change of a tag. Absent members stay as they are. */
interface TagChange {
  readonly manifest_digest?: string | undefined;
  readonly expiration?: Expiration | undefined;
  /** Whether nothing may change the tag from now on. */
  readonly immutable?: boolean | undefined;
}

/**
 * Applies the requested changes to a tag, in this order: makes it mutable, sets its expiration, moves it to another manifest, makes it
 * immutable. A new tag begins with that manifest and that expiration.
 * @throws RegistryError `invalid_request`, `insufficient_scope`, `tag_immutable`; `not_found`, also for a new tag without a manifest
 */
export async function changeTag(
  tag: ChangedTag,
  change: TagChange,
  context: CallContext<"change_tag_expiration" | "create_tag" | "move_tag" | "change_tag_immutability">,
): Promise<void> {
  if (!isTagName(tag.name)) throw invalidRequest("Invalid tag name");
  await lockForChange(tag, context);
  const { expiration, manifest_digest: digest, immutable } = change;
  const alive = await findAliveTag(context.db, { repositoryId: tag.repository.id, name: tag.name, now: context.now });
  if (alive === undefined && digest === undefined)
    throw notFound("There is no such tag: a new one needs a manifest_digest");
  if (immutable === false && alive !== undefined) await makeMutable(tag, alive, context);
  if (alive !== undefined && expiration !== undefined) await changeExpiration(tag, { alive, expiration }, context);
  if (digest !== undefined) await moveTag(tag, { digest, expiration }, context);
  if (immutable === true) await makeImmutable(tag, context);
}

/** An existing tag, and its new expiration. */
interface ExpirationChange {
  readonly alive: NonNullable<Awaited<ReturnType<typeof findAliveTag>>>;
  readonly expiration: Expiration;
}

async function changeExpiration(
  tag: TagOf,
  { alive, expiration }: ExpirationChange,
  context: CallContext<"change_tag_expiration">,
): Promise<void> {
  const { db, now, log } = context;
  const endAt = tagEnd(expiration, now);
  const { immutable_by } = (await findAliveTag(db, { repositoryId: tag.repository.id, name: tag.name, now })) ?? alive;
  if (immutable_by !== null && endAt === undefined) return;
  refuseIfImmutable([{ name: tag.name, immutable_by }], "expire");
  if (!(await setTagEnd(db, { id: alive.id, now, endAt }))) {
    throw invalidRequest("Could not update tag expiration; Tag has probably changed");
  }
  if (endAt === undefined && alive.end_at === null) return;
  // otherwise a writer could lengthen the time for which an admin has attached a document
  await recordTaggedAgain(db, alive, { now, attacher: attacherOf(context.principal) });
  await log("change_tag_expiration", {
    ...logPlace(tag, context),
    expiration_date: endAt === undefined ? null : Math.floor(endAt / 1000),
    old_expiration_date: alive.end_at,
  });
}

/** The instant at which a tag ends, in epoch milliseconds; undefined: never. It is not limited, unlike that of a label. */
function tagEnd(expiration: Expiration, now: number): number | undefined {
  if (expiration === "never") return undefined;
  const endAt = Math.floor(expiration * 1000);
  if (endAt <= now)
    throw invalidRequest("Invalid expiration: expected a time in the future, in seconds since 1970-01-01");
  return endAt;
}

async function moveTag(
  tag: TagOf,
  { digest, expiration = "never" }: { readonly digest: string; readonly expiration: Expiration | undefined },
  context: CallContext<"create_tag" | "move_tag">,
): Promise<void> {
  const { db, now, log, principal } = context;
  const repositoryId = tag.repository.id;
  const manifest = await findShownManifest(db, { repositoryId, digest, now });
  if (manifest === undefined) throw notFound(`The repository has no manifest ${digest}: push it first`);
  const endAt = tagEnd(expiration, now);
  const target = { repositoryId, name: tag.name, manifestId: manifest.id, now, endAt };
  const { previous } = await putTag(db, { ...target, attacher: attacherOf(principal) });
  await log(previous === undefined ? "create_tag" : "move_tag", {
    ...logPlace(tag, context),
    manifest_digest: digest,
    original_manifest_digest: previous === undefined ? null : await digestOf(db, previous.manifest_id),
  });
}

/** Deletes a tag; it can be restored for a while. @throws RegistryError `not_found`, `tag_immutable` */
export async function deleteTag(tag: TagOf, context: CallContext<"delete_tag">): Promise<void> {
  const { db, now, log } = context;
  await lockForChange(tag, context);
  const ended = await endTag(db, { repositoryId: tag.repository.id, name: tag.name, now });
  if (ended === undefined)
    throw notFound(`There is no tag ${tag.name}: list the tags of the repository to see those that are there`);
  await log("delete_tag", logPlace(tag, context));
}

/**
 * Restores a tag to a manifest that the repository still stores, even if no operation shows that manifest any more.
 * @throws RegistryError `invalid_request`, `not_found`, `tag_immutable`
 */
export async function restoreTag(tag: TagOf, digest: string, context: CallContext<"revert_tag">): Promise<void> {
  const { db, now, log, principal } = context;
  if (!isTagName(tag.name)) throw invalidRequest("Invalid tag name");
  await lockForChange(tag, context);
  const repositoryId = tag.repository.id;
  const manifest = await findStoredManifest(db, { repositoryId, digest });
  if (manifest === undefined) throw notFound(`The repository has no manifest ${digest} any more: push it again`);
  const target = { repositoryId, name: tag.name, manifestId: manifest.id, now, reversion: true };
  await putTag(db, { ...target, attacher: attacherOf(principal) });
  const { username, repo, tag: name } = logPlace(tag, context);
  await log("revert_tag", { username, repo, tag: name, manifest_digest: digest });
}

/** Locks the repository until the transaction ends: no other transaction then collects its garbage or moves its tags. */
async function lockForChange({ repository }: TagOf, { db }: CallContext): Promise<void> {
  const { state } = await lockRepository(db, repository.id);
  if (state === "deleted") throw notFound("The repository has just been deleted");
}

type Context = CallContext<"change_tag_immutability">;

/**
 * Makes an alive tag immutable until a request makes it mutable again.
 * @throws RegistryError `not_found`; `invalid_request` for a tag that expires
 */
async function makeImmutable(tag: TagOf, context: Context): Promise<void> {
  const { db, now } = context;
  const alive = await findAliveTag(db, { repositoryId: tag.repository.id, name: tag.name, now });
  if (alive === undefined) throw notFound(`There is no tag ${tag.name}: push it, or restore it first`);
  if (alive.end_at !== null) {
    throw invalidRequest(`The tag ${tag.name} expires: remove its expiration before you make it immutable`);
  }
  await change(tag, { alive, by: "request" }, context);
}

/**
 * Makes a tag mutable again. Only admins of the repository may do that, and not for tags that a policy protects.
 * @throws RegistryError `insufficient_scope`, `tag_immutable`
 */
async function makeMutable(tag: ChangedTag, alive: TagRow, context: Context): Promise<void> {
  if (alive.immutable_by === null) return;
  if (tag.role !== undefined && !includesRole(tag.role, "admin")) {
    throw new RegistryError("insufficient_scope", "Only admins of the repository can make an immutable tag mutable");
  }
  if (alive.immutable_by === "policy") {
    const message = `A policy of the repository or its organization protects the tag '${tag.name}': change or remove the policy`;
    throw new RegistryError("tag_immutable", message);
  }
  await change(tag, { alive, by: null }, context);
}

interface Immutability {
  readonly alive: TagRow;
  readonly by: TagRow["immutable_by"];
}

async function change(tag: TagOf, { alive, by }: Immutability, context: Context): Promise<void> {
  const { db, log } = context;
  if (alive.immutable_by === by) return;
  await setImmutability(db, [alive.id], by);
  const [immutable, previous_immutable] = [by !== null, alive.immutable_by !== null];
  await log("change_tag_immutability", { ...logPlace(tag, context), immutable, previous_immutable });
}

/** Which lifetimes of a tag are removed for good. */
interface TagExpiry {
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

/** A tag of a repository. */
interface TagOf {
  readonly repository: ImageRepository;
  readonly name: string;
}

/** A tag, and the role of the caller who changes it. */
interface ChangedTag extends TagOf {
  /** Absent for superusers. */
  readonly role?: RepositoryRole;
}

/** The members of entries of the usage log that name a tag. */
function logPlace({ repository, name }: TagOf, { principal }: { readonly principal: Principal }) {
  const username = accountOf(principal)?.username;
  return { username, repo: repository.name, namespace: repository.namespace, tag: name };
}
