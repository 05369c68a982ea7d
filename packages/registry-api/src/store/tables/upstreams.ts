import type { Visibility } from "./content.ts";

/** Mirrors of other registries, and caches of them. */
export interface UpstreamTables {
  repository_mirror: RepositoryMirrorTable;
  organization_mirror: OrganizationMirrorTable;
  organization_mirror_repository: OrganizationMirrorRepositoryTable;
  proxy_cache: ProxyCacheTable;
  proxied_manifest: ProxiedManifestTable;
  proxied_blob: ProxiedBlobTable;
  proxied_pull: ProxiedPullTable;
  sparse_child: SparseChildTable;
}

export type MirrorState = "NEVER_RUN" | "SYNC_NOW" | "SYNCING" | "SUCCESS" | "FAIL" | "CANCEL";

/** How an organization follows the catalog of another registry. */
export interface OrganizationMirrorTable {
  organization_id: string;
  is_enabled: 0 | 1;
  /** `host`, or `host/path`: only repositories below the path are followed. */
  external_registry: string;
  external_username: string | null;
  external_password_sealed: string | null;
  /** As that of a repository's mirror. */
  external_config: string;
  /** JSON list of globs for names of repositories. */
  repository_patterns: string;
  /** JSON list of globs for tags. */
  tag_patterns: string;
  visibility: Visibility;
  robot_id: string;
  sync_interval_s: number;
  sync_timeout_s: number;
  /** When the catalog is read next; null: never. */
  discover_at: number | null;
  state: DiscoveryState;
  /** Why the last reading failed; empty where it did not. */
  message: string;
  discovered_at: number | null;
}

export type DiscoveryState = "NEVER_RUN" | "SUCCESS" | "FAIL";

/** A repository of the other registry's catalog. `gone`: it is not there any more, and stays here as it was. */
export type DiscoveredState = "mirrored" | "gone" | "refused";

export interface OrganizationMirrorRepositoryTable {
  organization_id: string;
  external_name: string;
  /** Null where there is none here. */
  repository_id: string | null;
  state: DiscoveredState;
  /** Why it is refused; empty where it is not. */
  reason: string;
  changed_at: number;
}

export interface RepositoryMirrorTable {
  repository_id: string;
  is_enabled: 0 | 1;
  external_reference: string;
  external_username: string | null;
  external_password_sealed: string | null;
  /** JSON object: `verify_tls`, `unsigned_images`, `proxy` without credentials, `proxy_sealed` with them. */
  external_config: string;
  /** The instant at which the next run is due; null: never. */
  sync_start_at: number | null;
  sync_interval_s: number;
  sync_timeout_s: number;
  /** The instant until which the current run holds the mirror. */
  sync_expires_at: number | null;
  sync_state: MirrorState;
  sync_retries: number;
  /** Changes with every claim and every cancellation. */
  sync_transaction_id: string;
  robot_id: string;
  /** JSON array of glob patterns. */
  tag_patterns: string;
}

export interface ProxyCacheTable {
  organization_id: string;
  upstream_registry: string;
  upstream_username: string | null;
  upstream_password_sealed: string | null;
  expiration_s: number | null;
  insecure: 0 | 1;
}

/** A manifest that was pulled through a cache and whose blobs the repository does not have yet. */
export interface ProxiedManifestTable {
  repository_id: string;
  digest: string;
  media_type: string;
  /** Exactly the bytes of the other registry; they are UTF-8. */
  content: string;
  created_at: number;
}

/** A blob of a {@link ProxiedManifestTable}. */
export interface ProxiedBlobTable {
  repository_id: string;
  manifest_digest: string;
  digest: string;
  size_bytes: number;
}

/** What was pulled through a cache, by each tag or digest: the last pull of it. */
export interface ProxiedPullTable {
  repository_id: string;
  /** A tag, or a digest. */
  reference: string;
  namespace_id: string;
  /** Where the reference led at that time. */
  digest: string;
  pulled_at: number;
}

/** A manifest of an index that the repository does not have, since nobody has pulled it. */
export interface SparseChildTable {
  manifest_id: string;
  digest: string;
}
