import { attachedKinds, documentsOf } from "@plimsoll/core/internal";
import { noteChangedSubjects } from "../content/attached-changes.ts";
import { subjectOfTag } from "../content/referrer-tags.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** A pushed manifest. */
export interface AttachedManifest {
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
