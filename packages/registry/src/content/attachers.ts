import { documentsOf, vexKind } from "@plimsoll/core/internal";
import { accountOf, heldScopes, type Principal } from "../access/principal.ts";
import { holdsScope } from "../access/scopes.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { forgetAttachers, insertAttacher } from "./queries/referrers.ts";
import type { TagRow } from "./queries/tags.ts";
import { subjectOfTag } from "./referrer-tags.ts";

/** The id of an account that attaches documents to images. */
export type Attacher = string;

/**
 * The account whose rights decide whether a document counts that a caller attaches. Undefined for callers without an account, and for
 * OAuth tokens that could not change a pull gate: an application must not get more than its user has granted.
 */
export function attacherOf(principal: Principal): Attacher | undefined {
  const held = heldScopes(principal);
  const mayAdminister = holdsScope(held, "org:admin") && holdsScope(held, "repo:admin");
  return mayAdminister ? accountOf(principal)?.id : undefined;
}

/** By whom, and when. */
interface Attached {
  readonly attacher?: Attacher | undefined;
  readonly now: number;
}

/** A pushed manifest, and the new lifetimes of its tags. */
export interface PushedDocuments extends Attached {
  readonly manifestId: string;
  readonly content: string;
  /** The digest to which it refers. */
  readonly subject?: string | undefined;
  readonly tags: readonly TagRow[];
}

/** Records who has pushed a manifest with VEX documents; does nothing for other manifests. Must run in the transaction of the push. */
export async function recordPushed(db: RegistryDb, pushed: PushedDocuments): Promise<void> {
  const { manifestId, content, subject, tags, attacher, now } = pushed;
  if (attacher === undefined || (subject === undefined && !tags.some(isAttachedBy))) return;
  if (documentsOf(content, vexKind).length === 0) return;
  if (subject !== undefined) await insertAttacher(db, { manifestId, tagId: "", accountId: attacher, now });
  await recordTagged(db, tags, pushed);
}

/** Records who has pointed tags at their manifests, if documents are attached by them. Must run in the transaction of the change. */
export async function recordTagged(
  db: RegistryDb,
  tags: readonly TagRow[],
  { attacher, now }: Attached,
): Promise<void> {
  if (attacher === undefined) return;
  for (const { manifest_id: manifestId, id: tagId } of tags.filter(isAttachedBy)) {
    await insertAttacher(db, { manifestId, tagId, accountId: attacher, now });
  }
}

/** As {@link recordTagged}, for a tag that a caller has changed: nobody else has attached its documents then. */
export async function recordTaggedAgain(db: RegistryDb, tag: TagRow, attached: Attached): Promise<void> {
  await forgetTagged(db, tag);
  await recordTagged(db, [tag], attached);
}

/** Deletes who has pointed a tag at its manifest, when the tag ends. */
export async function forgetTagged(db: RegistryDb, tag: TagRow): Promise<void> {
  if (isAttachedBy(tag)) await forgetAttachers(db, { manifestId: tag.manifest_id, tagId: tag.id });
}

/** Deletes who has pushed a manifest, when it is deleted: whoever restores it does not attach its documents in their name. */
export async function forgetPushed(db: RegistryDb, manifestId: string): Promise<void> {
  await forgetAttachers(db, { manifestId, tagId: "" });
}

/** Whether documents can be attached to an image by a tag. */
function isAttachedBy({ name }: Pick<TagRow, "name">): boolean {
  return subjectOfTag(name) !== undefined;
}
