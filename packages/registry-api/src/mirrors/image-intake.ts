import type { Digest } from "@plimsoll/core";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { UpstreamRepository } from "../ports/upstreams.ts";

/** An image of another registry that a repository is to have. */
export interface IntakeRequest {
  readonly repository: ImageRepository;
  readonly upstream: UpstreamRepository;
  /** A tag or a digest of the other registry. */
  readonly reference: string;
  /** The tags that point at it here; none for what belongs to another image. */
  readonly tags: readonly string[];
  /** Repositories whose blobs may be linked in place of being fetched, by id. */
  readonly blobsFrom: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Brings images of other registries in: manifests with all of their parts, checked and counted as those of a push. What the
 * repository has already is not fetched again.
 */
export interface ImageIntake {
  /**
   * @returns the digests of the manifest and of those that it is an index of
   * @throws IntakeRefused for what cannot be taken; what another attempt may do better is thrown as it is
   */
  bring(request: IntakeRequest): Promise<readonly Digest[]>;
}

/** An image that cannot be taken as it is, or not now: the message says why, for users. */
export class IntakeRefused extends Error {
  override readonly name = "IntakeRefused";
}
