import { attachedKinds, documentsOf } from "@plimsoll/core/internal";
import { enqueueJob } from "@plimsoll/store";
import type { RegistryDb } from "../store/tables/all.ts";
import { countAttachedJob } from "./jobs.ts";
import { listSubjects, listSubjectsOfManifest, raiseSecurityRevisions } from "./queries/finding-counts.ts";
import type { TagRow } from "./queries/tags.ts";
import { subjectOfTag } from "./referrer-tags.ts";

/** Images whose attached documents have changed. */
export interface ChangedSubjects {
  readonly repositoryId: string;
  /** Digests of images, or of indexes that list them. */
  readonly subjects: readonly string[];
  readonly now: number;
}

/** {@link noteChangedSubjects} for tags that begin or end. Cosign attaches documents to an image by the name of a tag. */
export async function noteChangedTags(
  db: RegistryDb,
  tags: readonly Pick<TagRow, "repository_id" | "name">[],
  now: number,
): Promise<void> {
  for (const { repository_id: repositoryId, name } of tags) {
    const subject = subjectOfTag(name);
    if (subject !== undefined) await noteChangedSubjects(db, { repositoryId, subjects: [subject], now });
  }
}

/**
 * Records that SBOMs or VEX documents of images were added or removed: cached decisions become invalid, and a job counts the images'
 * vulnerabilities again. Must run in the transaction of the change.
 */
async function noteChangedSubjects(db: RegistryDb, { repositoryId, subjects, now }: ChangedSubjects): Promise<void> {
  if (subjects.length === 0) return;
  const ids = await listSubjects(db, { repositoryId, subjects });
  if (ids.length === 0) return;
  await raiseSecurityRevisions(db, ids);
  await enqueueJob(db, countAttachedJob.of({ manifestIds: [...ids] }), { now: () => now });
}

/** {@link noteChangedSubjects} for the subjects of a manifest that is deleted or restored. */
export async function noteChangedManifest(
  db: RegistryDb,
  {
    repositoryId,
    manifestId,
    now,
  }: { readonly repositoryId: string; readonly manifestId: string; readonly now: number },
): Promise<void> {
  await noteChangedSubjects(db, { repositoryId, subjects: await listSubjectsOfManifest(db, manifestId), now });
}

/** A pushed manifest. */
interface AttachedManifest {
  readonly repositoryId: string;
  readonly content: string;
  /** The digest to which it refers. */
  readonly subject?: string | undefined;
  readonly tags: readonly string[];
  readonly now: number;
}

/**
 * Makes images due for counting when an SBOM or a VEX document is attached to them; does nothing for other manifests. Must run in the transaction
 * that stores the manifest.
 */
export async function noteAttached(db: RegistryDb, attached: AttachedManifest): Promise<void> {
  const { repositoryId, content, subject, tags, now } = attached;
  const subjects = [...(subject === undefined ? [] : [subject]), ...tags.flatMap((tag) => subjectOfTag(tag) ?? [])];
  if (subjects.length === 0 || !attachedKinds.some((kind) => documentsOf(content, kind).length > 0)) return;
  await noteChangedSubjects(db, { repositoryId, subjects, now });
}
