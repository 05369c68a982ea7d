import type { Digest } from "@plimsoll/core/digest";
import type { Principal } from "../access/principal.ts";
import type { AccountRow, ImageRepository } from "../access/queries.ts";
import type { ImageManifestRow } from "../content/queries/manifest-content.ts";
import type { UpstreamReferrer } from "../ports/upstreams.ts";
import type { Reference } from "./reference.ts";

/** A manifest as pulls return it. The manifest of an image that is still being copied is not stored yet. */
export type ServedManifest =
  | ImageManifestRow
  | (Pick<ImageManifestRow, "digest" | "media_type" | "size_bytes"> & { readonly content: string });

/** A blob that is being copied from the other registry. */
export interface ArrivingBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** Its bytes as they arrive. The last ones are only yielded after the digest was verified. */
  read(): AsyncIterable<Uint8Array>;
  /** Resolves when the repository has the blob. */
  arrive(): Promise<void>;
}

/** What a pull requests. */
export type PulledObject =
  | { readonly kind: "manifest"; readonly reference: Reference }
  | { readonly kind: "blob"; readonly digest: Digest };

/** A repository that a pull may create. */
export interface NewCachedRepository {
  readonly namespace: AccountRow;
  readonly name: string;
  readonly object: PulledObject;
  /** The caller, who gets the right to pull from it. */
  readonly creator: AccountRow;
  readonly principal: Principal;
  readonly ip: string;
  readonly now: number;
}

/** A pull of a manifest. */
export interface PulledFrom {
  readonly repository: ImageRepository;
  readonly reference: Reference;
  readonly now: number;
}

/** Copies missing content into the repositories of a cache when it is pulled. Every method may throw a ContentError. */
export interface PullThrough {
  /** The manifest of a reference in the other registry, or the stored one while that registry is unavailable; undefined if there is none. */
  findManifest(pulled: PulledFrom): Promise<ServedManifest | undefined>;
  /** A blob that the repository does not have yet; undefined if the other registry does not have it either. */
  findBlob(repository: ImageRepository, digest: Digest): Promise<ArrivingBlob | undefined>;
  /** The referrers of a manifest in the other registry, or the last ones while that is unavailable; undefined if it does not list referrers. */
  findReferrers(repository: ImageRepository, digest: Digest): Promise<readonly UpstreamReferrer[] | undefined>;
  /** Creates a repository, if the other registry has the pulled object. */
  createRepository(wanted: NewCachedRepository): Promise<ImageRepository | undefined>;
}

/** Whether missing content is copied into a repository when it is pulled: not into mirrors and read-only repositories. */
export function isPulledThrough({ cacheOf, state }: Pick<ImageRepository, "cacheOf" | "state">): boolean {
  return cacheOf !== undefined && cacheOf !== null && state === "NORMAL";
}
