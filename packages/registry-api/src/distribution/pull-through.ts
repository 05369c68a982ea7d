import type { Digest } from "@plimsoll/core";
import type { Principal } from "../access/principal.ts";
import type { AccountRow } from "../access/queries/accounts.ts";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import type { Reference } from "./reference.ts";

/** A manifest as a pull is answered with it. One that is being brought in is not stored yet. */
export type ServedManifest = Pick<ImageManifestRow, "digest" | "media_type" | "size_bytes" | "content">;

/** A blob of an image that is being brought in. */
export interface ArrivingBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** Its bytes as they arrive. The last of them come once the digest of all is right. */
  read(): AsyncIterable<Uint8Array>;
  /** Resolves when the repository has the blob. */
  arrive(): Promise<void>;
}

/** A repository that a pull may create. */
export interface NewCachedRepository {
  readonly namespace: AccountRow;
  readonly name: string;
  readonly reference: Reference;
  /** The caller, who may pull from it then. */
  readonly creator: AccountRow;
  readonly principal: Principal;
  readonly ip: string;
  readonly now: number;
}

/** What is pulled from a repository and where. */
export interface PulledFrom {
  readonly repository: ImageRepository;
  readonly reference: Reference;
  readonly now: number;
}

/** Brings in what the repositories of a cache do not have when it is pulled. All of it may throw a DistributionError. */
export interface PullThrough {
  /** The manifest that the other registry has under a reference; what is held, while it cannot be asked. Undefined where there is none. */
  findManifest(pulled: PulledFrom): Promise<ServedManifest | undefined>;
  /** A blob that the repository does not have yet; undefined where no image that is being brought in needs it. */
  findBlob(repository: ImageRepository, digest: Digest): Promise<ArrivingBlob | undefined>;
  /** Creates a repository, if the other registry has what is pulled from it. */
  createRepository(wanted: NewCachedRepository): Promise<ImageRepository | undefined>;
}

/** Whether what a repository does not have is brought in when it is pulled: not into mirrors, and those that take no changes. */
export function isPulledThrough({ cacheOf, state }: Pick<ImageRepository, "cacheOf" | "state">): boolean {
  return cacheOf !== undefined && cacheOf !== null && state === "NORMAL";
}
