import type { Digest } from "@plimsoll/core/digest";
import type { ImageRepository } from "../access/queries.ts";
import type { Deps } from "../deps.ts";
import type { UpstreamRepository } from "../ports/upstreams.ts";

/** An image of another registry to copy into a repository. */
export interface IntakeRequest {
  readonly repository: ImageRepository;
  readonly upstream: UpstreamRepository;
  /** A tag or a digest of the other registry. */
  readonly reference: string;
  /** The tags that shall point to it in the repository; none for a referrer of another image. */
  readonly tags: readonly string[];
  /** Repositories whose blobs may be linked in place of being fetched, by id. */
  readonly blobsFrom: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Copies images of other registries into repositories: manifests with all of their parts, checked and counted as for a push. Content
 * that the repository has already is not fetched.
 */
export interface ImageIntake {
  /**
   * @returns the digest of the manifest, then those of the manifests of its index
   * @throws IntakeRefused for an image that cannot be stored; other errors may not occur in another attempt
   */
  copyImage(request: IntakeRequest): Promise<readonly Digest[]>;
  /** Fetches the damaged blobs of a repository anew. A blob that the other registry does not have stays damaged. */
  healBlobs(healing: Pick<IntakeRequest, "repository" | "upstream" | "blobsFrom" | "signal">): Promise<void>;
}

/** What copying images needs. */
export type IntakeDeps = Pick<Deps, "store" | "blobs" | "settings" | "clock" | "pageAddress">;

/** An image cannot be stored as it is, or not now. The message is for users. */
export class IntakeRefused extends Error {
  override readonly name = "IntakeRefused";
}
