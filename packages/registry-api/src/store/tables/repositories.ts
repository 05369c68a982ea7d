import type { Generated } from "kysely";
import type { RepositoryRole } from "./accounts.ts";
import type { Visibility } from "./content.ts";

/** The tables of settings of repositories and namespaces. */
export interface RepositoryTables {
  repository_star: RepositoryStarTable;
  account_permission: AccountPermissionTable;
  team_permission: TeamPermissionTable;
  repository_token: RepositoryTokenTable;
  repository_notification: RepositoryNotificationTable;
  repository_delivery: RepositoryDeliveryTable;
  told_expiration: ToldExpirationTable;
  repository_mirror: RepositoryMirrorTable;
  organization_mirror: OrganizationMirrorTable;
  organization_mirror_repository: OrganizationMirrorRepositoryTable;
  proxy_cache: ProxyCacheTable;
  proxied_manifest: ProxiedManifestTable;
  proxied_blob: ProxiedBlobTable;
  proxied_pull: ProxiedPullTable;
  sparse_child: SparseChildTable;
  prune_policy: PrunePolicyTable;
  pull_gate: PullGateTable;
  quota: QuotaTable;
  quota_limit: QuotaLimitTable;
  build: BuildTable;
  build_log: BuildLogTable;
  build_log_archive: BuildLogArchiveTable;
  build_trigger: BuildTriggerTable;
  build_trigger_delivery: BuildTriggerDeliveryTable;
  daily_action_count: DailyActionCountTable;
}

export interface RepositoryStarTable {
  account_id: string;
  repository_id: string;
  created_at: number;
}

export interface AccountPermissionTable {
  repository_id: string;
  account_id: string;
  role: RepositoryRole;
}

export interface TeamPermissionTable {
  repository_id: string;
  team_id: string;
  role: RepositoryRole;
}

/** A password for one repository. */
export interface RepositoryTokenTable {
  id: string;
  repository_id: string;
  friendly_name: string;
  role: RepositoryRole;
  code_hash: string;
  code_sealed: string;
  created_at: number;
}

export interface RepositoryNotificationTable {
  id: string;
  repository_id: string;
  title: string | null;
  event: string;
  method: string;
  /** JSON object. */
  config: string;
  /** JSON object. */
  event_config: string;
  failures: number;
  created_at: number;
  /** Signs what webhooks are sent; null for other methods, and for webhooks of before there were signatures. */
  secret_sealed: string | null;
}

/** `retrying`: the last attempt failed, and there will be another. `dropped`: the notification had failed too often before. */
export type DeliveryState = "delivered" | "retrying" | "failed" | "dropped";

/** The delivery of one event to one notification. */
export interface RepositoryDeliveryTable {
  /** That of its job. */
  id: string;
  notification_id: string;
  is_test: 0 | 1;
  /** JSON object: the event. */
  payload: string;
  state: DeliveryState;
  attempts: number;
  /** What the receiver answered, or why it was not reached. */
  detail: string;
  began_at: number;
  changed_at: number;
}

/** An expiration of a tag that a notification has told of. */
export interface ToldExpirationTable {
  tag_id: string;
  notification_id: string;
  /** When the tag was to end. */
  end_at: number;
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

/** A rule that removes tags: of a namespace, or of one repository. */
export interface PrunePolicyTable {
  id: string;
  namespace_id: string;
  repository_id: string | null;
  method: "number_of_tags" | "creation_date";
  /** JSON: a number, or a time such as `"7d"`. */
  value: string;
  tag_pattern: string | null;
  tag_pattern_matches: 0 | 1;
  created_at: number;
}

/** What pulls are judged by: of a namespace, or of one repository. */
export interface PullGateTable {
  id: string;
  namespace_id: string | null;
  repository_id: string | null;
  /** JSON: the `Gate` of `pull-gate/gate.ts`. */
  gate: string;
}

export interface QuotaTable {
  /** Given by the database. */
  id: Generated<number>;
  namespace_id: string;
  limit_bytes: number;
}

export interface QuotaLimitTable {
  id: Generated<number>;
  quota_id: number;
  type: "Warning" | "Reject";
  threshold_percent: number;
}

export type BuildPhase =
  | "waiting"
  | "build-scheduled"
  | "unpacking"
  | "pulling"
  | "building"
  | "pushing"
  | "complete"
  | "error"
  | "internalerror"
  | "cancelled";

export interface BuildTable {
  id: string;
  repository_id: string;
  phase: BuildPhase;
  /** The account that asked for it. */
  manual_account_id: string | null;
  /** Empty where {@link source} says what is built. */
  archive_url: string;
  /** JSON: an upload or a git repository; null for an archive at an address. */
  source: string | null;
  dockerfile_path: string;
  context: string;
  /** JSON array. */
  tags: string;
  pull_robot_id: string | null;
  error: string | null;
  created_at: number;
  /** JSON object: arguments of the Dockerfile by name. */
  arguments: string;
  /** Of the secret that the running attempt pushes with. */
  token_hash: string | null;
  /** Epoch milliseconds: until when that secret is valid. */
  token_expires_at: number | null;
  /** Of the image that was pushed. */
  manifest_digest: string | null;
  /** The trigger that asked for it; null where an account did. */
  trigger_id: string | null;
}

/** A webhook of a forge: what is pushed there is built. */
export interface BuildTriggerTable {
  id: string;
  repository_id: string;
  title: string;
  secret_sealed: string;
  git_url: string;
  /** JSON list of globs for whole names of references. */
  refs: string;
  /** JSON: the members of a request to build that are the same for each push. */
  request: string;
  is_enabled: 0 | 1;
  created_at: number;
}

/** A delivery that was seen: it has an effect once. */
export interface BuildTriggerDeliveryTable {
  trigger_id: string;
  delivery_key: string;
  at: number;
}

export interface BuildLogTable {
  build_id: string;
  position: number;
  /** JSON object. */
  entry: string;
}

/** The log of a build in the blob store. */
export interface BuildLogArchiveTable {
  /** Also the first line of the file, and what the file is uploaded as: so no other file is the same. */
  id: string;
  /** Null once the build is deleted. */
  build_id: string | null;
  state: "writing" | "archived";
  entries: number;
  digest: string;
  size_bytes: number;
}

/** How often a repository was used on a day. */
export interface DailyActionCountTable {
  repository_id: string;
  /** `YYYY-MM-DD`. */
  day: string;
  count: number;
}
