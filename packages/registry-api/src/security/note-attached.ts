import { attachedKinds, documentsOf } from "@plimsoll/core";
import { hastenRecurrence } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { countFindingsJob } from "./jobs.ts";
import { countSubjectsAgain } from "./queries/attached.ts";

/** A manifest that is pushed, or deleted. */
export interface AttachedManifest {
  readonly repositoryId: string;
  readonly content: string;
  /** The digest that it refers to. */
  readonly subject?: string | undefined;
  readonly tags: readonly string[];
}

/**
 * Has the vulnerabilities of the images counted again that a manifest says something about, if it is an SBOM or a VEX document. Must run in the
 * transaction that stores the manifest.
 */
export async function noteAttached(db: RegistryDb, attached: AttachedManifest, clock: Clock): Promise<void> {
  const { repositoryId, content, subject, tags } = attached;
  const subjects = [...(subject === undefined ? [] : [subject]), ...tags.flatMap(subjectOf)];
  if (subjects.length === 0 || !attachedKinds.some((kind) => documentsOf(content, kind).length > 0)) return;
  if (await countSubjectsAgain(db, { repositoryId, subjects }))
    await hastenRecurrence(db, countFindingsJob, null, clock);
}

/** The image that a tag of cosign stands beside: `sha256-<hex>.sbom`. */
function subjectOf(tag: string): readonly string[] {
  const [, hex] = /^sha256-([0-9a-f]{64})\.(?:att|sbom)$/.exec(tag) ?? [];
  return hex === undefined ? [] : [`sha256:${hex}`];
}
