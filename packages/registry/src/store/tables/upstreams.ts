import type { Visibility } from "./content.ts";

/** The tables of mirrors and caches of other registries. */
export interface UpstreamTables {
  repository_mirror: RepositoryMirrorTable;
  organization_mirror: OrganizationMirrorTable;
  organization_mirror_repository: OrganizationMirrorRepositoryTable;
  proxy_cache: ProxyCacheTable;
  proxied_manifest: ProxiedManifestTable;
  proxied_blob: ProxiedBlobTable;
  proxied_pull: ProxiedPullTable;
  proxied_referrers: ProxiedReferrersTable;
  sparse_child: SparseChildTable;
}

export type MirrorState = "NEVER_RUN" | "SYNC_NOW" | "SYNCING" | "SUCCESS" | "FAIL" | "CANCEL";

/** The configuration by which an organization mirrors another registry. */
export interface OrganizationMirrorTable {
  organization_id: string;
  is_enabled: 0 | 1;
  /** `host`, or `host/path`: only repositories below the path are mirrored. */
  external_registry: string;
  external_username: string | null;
  external_password_sealed: string | null;
  /** As in {@link RepositoryMirrorTable}. */
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
  /** Why the last reading of the catalog failed; empty if it did not. */
  message: string;
  discovered_at: number | null;
}

export type DiscoveryState = "NEVER_RUN" | "SUCCESS" | "FAIL";

/** The state of a repository in the other registry's catalog. `gone`: it is no longer in the catalog; the mirrored repository stays. */
export type DiscoveredState = "mirrored" | "gone" | "refused";

export interface OrganizationMirrorRepositoryTable {
  organization_id: string;
  external_name: string;
  /** The repository in the organization; null if there is none. */
  repository_id: string | null;
  state: DiscoveredState;
  /** Why it is refused; empty if it is not. */
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
  /** When the next run is due; null: never. */
  sync_start_at: number | null;
  sync_interval_s: number;
  sync_timeout_s: number;
  /** When the current run must have ended. */
  sync_expires_at: number | null;
  sync_state: MirrorState;
  sync_retries: number;
  /** Until when no run is due, because the registry limits the rate of requests; null: it does not. A requested run does not wait. */
  sync_waits_until: number | null;
  /** Changes with every update of the row. */
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
  /** The bytes of the other registry, which are UTF-8. */
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

/** The last pull of each tag and digest through a cache. */
export interface ProxiedPullTable {
  repository_id: string;
  /** A tag, or a digest. */
  reference: string;
  namespace_id: string;
  /** The digest of the reference at that time. */
  digest: string;
  pulled_at: number;
}

/** The last list of the referrers of a manifest at the other registry. */
export interface ProxiedReferrersTable {
  repository_id: string;
  /** Of the manifest. */
  digest: string;
  /** A JSON array of them; `null` if the other registry does not list referrers. */
  content: string;
}

/** A manifest of an index that the repository does not have, since no client has pulled it. */
export interface SparseChildTable {
  manifest_id: string;
  digest: string;
}
