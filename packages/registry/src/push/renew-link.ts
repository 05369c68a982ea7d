import { ifWritable } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries.ts";
import { graceMs } from "../content/lifetimes.ts";
import type { LinkedBlob } from "../content/queries/blobs.ts";
import { ContentError } from "../content-error.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { pauseMs } from "./give-way.ts";
import { renewBlobLink } from "./queries/parts.ts";

/** A blob of a repository that a client has checked before a push. */
export interface CheckedBlob {
  readonly repository: ImageRepository;
  readonly blob: LinkedBlob;
  readonly now: number;
}

/** Whether the link of a blob is old enough to be renewed. */
export function isLinkOld({ blob, now }: Omit<CheckedBlob, "repository">): boolean {
  const untilMs = blob.manifests === 0 ? pauseMs.links / 3 : graceMs.links / 2; // without a manifest it may give way to others
  return now - blob.linked_at >= untilMs;
}

/**
 * Renews the link of a blob. A client does not send a blob that exists, so the blob must not be collected before the manifest arrives.
 * @throws ContentError `blob_unknown` if the repository no longer has the blob
 */
export async function renewLink(db: RegistryDb, checked: CheckedBlob): Promise<void> {
  await ifWritable(async () => {
    if (await renewBlobLink(db, checked)) return;
    throw new ContentError("blob_unknown", "blob unknown to registry", { detail: { digest: checked.blob.digest } });
  });
}
