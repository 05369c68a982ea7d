import type { Severity } from "@plimsoll/core";
import type { Generated } from "kysely";

/** The tables of content: repositories, blobs, image manifests, tags. */
export interface ContentTables {
  image_repository: ImageRepositoryTable;
  blob: BlobTable;
  blob_removal: BlobRemovalTable;
  repository_blob: RepositoryBlobTable;
  upload: UploadTable;
  image_manifest: ImageManifestTable;
  manifest_blob: ManifestBlobTable;
  manifest_child: ManifestChildTable;
  manifest_label: ManifestLabelTable;
  manifest_scan: ManifestScanTable;
  told_finding: ToldFindingTable;
  ignore_rule: IgnoreRuleTable;
  organization_immutability: OrganizationImmutabilityTable;
  finding_count: FindingCountTable;
  found_vulnerability: FoundVulnerabilityTable;
  daily_finding_count: DailyFindingCountTable;
  collected_image: CollectedImageTable;
  tag: TagTable;
  namespace_blob: NamespaceBlobTable;
  namespace_usage: NamespaceUsageTable;
}

/** A rule that suppresses findings: in the images of a repository, or of all repositories of an organization. */
export interface IgnoreRuleTable {
  id: string;
  namespace_id: string | null;
  repository_id: string | null;
  /** One of its names. */
  vulnerability: string;
  /** A package URL; null: every package. */
  package: string | null;
  /** The digest of a manifest; null: every image. */
  image: string | null;
  reason: string;
  /** The name of the account that added it. */
  author: string;
  created_at: number;
  expires_at: number;
  /** About when it last took a finding out; null: never. */
  used_at: number | null;
}

export type Visibility = "public" | "private";

/**
 * The callers that may push. `NORMAL`: every caller who may write. `READ_ONLY`: no caller. `MIRROR`: the robot of the mirror. Repositories that
 * are `deleted` wait for garbage collection.
 */
export type RepositoryState = "NORMAL" | "READ_ONLY" | "MIRROR" | "deleted";

export interface ImageRepositoryTable {
  id: string;
  namespace_id: string;
  /** Unique in the namespace; a deleted repository's is its id. */
  name: string;
  kind: "image";
  visibility: Visibility;
  state: RepositoryState;
  description: string;
  /** The token that shows the build badge of a private repository. */
  badge_token: string;
  /** The bytes that count for it: those of each blob that it has. */
  size_bytes: number;
  /** JSON: a list of {@link ImmutabilityPolicy}, the oldest first. */
  immutability_policies: Generated<string>;
  created_at: number;
  deleted_at: number | null;
}

/** Which tags of a repository nothing may change, by their names. */
export interface ImmutabilityPolicy {
  readonly uuid: string;
  /** An expression in the syntax of RE2 that describes whole names. */
  readonly tagPattern: string;
  /** False: the tags are meant that it does not describe. */
  readonly tagPatternMatches: boolean;
}

/** Which tags of all repositories of an organization nothing may change. */
export interface OrganizationImmutabilityTable {
  organization_id: string;
  /** JSON: a list of {@link ImmutabilityPolicy}, the oldest first. */
  policies: string;
}

/** Bytes that are stored, once for the whole registry. */
export interface BlobTable {
  digest: string;
  size_bytes: number;
  created_at: number;
}

/** A blob that is being removed from its store: until its row is gone, none with this digest is stored. */
export interface BlobRemovalTable {
  digest: string;
}

/** Links a blob to a repository: blobs without a link cannot be seen in it. */
export interface RepositoryBlobTable {
  repository_id: string;
  digest: string;
  linked_at: number;
  /** How many of its image manifests have it. */
  manifests: number;
}

/** An upload in progress. */
export interface UploadTable {
  id: string;
  repository_id: string;
  namespace_id: string;
  /** Null: pushed with a repository token. */
  account_id: string | null;
  received_bytes: number;
  /** The digest of the finished blob. Set before the blob is stored, so that a blob that was then never entered can be removed. */
  digest: string | null;
  created_at: number;
  updated_at: number;
}

export interface ImageManifestTable {
  id: string;
  repository_id: string;
  digest: string;
  media_type: string;
  artifact_type: string | null;
  config_media_type: string | null;
  /** The digest that it refers to. */
  subject: string | null;
  /** Exactly the bytes that were pushed; they are UTF-8. */
  content: string;
  size_bytes: number;
  /** Null for an image index. */
  layers_size_bytes: number | null;
  is_index: 0 | 1;
  created_at: number;
  /** The instant until which it is kept although nothing refers to it. */
  kept_until: number;
  /** The instant at which it was deleted by its digest. Clients do not see it after that unless a tag is put on it again. */
  deleted_at: number | null;
  /** Rises when something else is known of its security: by a scan, an attached document, a rule. */
  security_revision: Generated<number>;
}

/** The blobs of a manifest: configuration and layers. */
export interface ManifestBlobTable {
  manifest_id: string;
  digest: string;
}

/** The manifests of an image index. */
export interface ManifestChildTable {
  manifest_id: string;
  child_id: string;
}

export interface ManifestLabelTable {
  id: string;
  manifest_id: string;
  key: string;
  value: string;
  source_type: "manifest" | "api" | "internal";
  media_type: string;
  created_at: number;
}

export type ScanState = "queued" | "scanned" | "failed" | "unsupported" | "manifest_layer_too_large";

/** A vulnerability of an image that notifications were told of, as long as the image has it. */
export interface ToldFindingTable {
  manifest_id: string;
  name: string;
  priority: string;
  told_at: number;
}

/** Whether the feeds that an image was matched with were up to date; unknown where the scanner does not tell. */
export type FeedState = "current" | "outdated" | "missing" | "unknown";

/** How many vulnerabilities an image has, each counted once. Null: they were not counted yet. */
export interface FindingCountTable {
  manifest_id: string;
  critical: number | null;
  high: number | null;
  medium: number | null;
  low: number | null;
  negligible: number | null;
  unknown: number | null;
  /** Those with a fix. */
  fixable: number | null;
  /** Those that are known to be exploited. */
  exploited: number | null;
  /** Whether the scan could not judge all that is in the image, so that it may have more. */
  is_partial: 0 | 1 | null;
  data_state: FeedState | null;
  counted_at: number | null;
  /** When they are counted again, unless a scan or an update of feeds does that before; 0: as soon as possible. */
  due_at: number;
  /** When a vulnerability was last found that was not there before. */
  news_at: number | null;
}

/** How many vulnerabilities the images of a repository that tags show had on a day, and after it until the next one that is stored. */
export interface DailyFindingCountTable {
  repository_id: string;
  /** In UTC: `YYYY-MM-DD`. */
  day: string;
  critical: number;
  high: number;
  medium: number;
  low: number;
  negligible: number;
  unknown: number;
  fixable: number;
  exploited: number;
  /** Images that a tag shows. */
  images: number;
  /** Those of which it was not known what they have. */
  uncounted: number;
  /** Those that a scan could not judge wholly. */
  partial: number;
}

/** A vulnerability that was counted of an image, by one of its names. */
export interface FoundVulnerabilityTable {
  manifest_id: string;
  /** In small letters. */
  name: string;
  /** As severe as the worst of the packages that have it. */
  severity: Severity;
  has_fix: 0 | 1;
  is_exploited: 0 | 1;
  /** When it was first found in the image; null where that is not known. */
  found_at: number | null;
  /** Whether no advisory has it as its own name. */
  is_alias: Generated<0 | 1>;
}

/** The state of an image's scan. */
export interface ManifestScanTable {
  manifest_id: string;
  state: ScanState;
  reason: string | null;
  attempts: number;
  /** The state of the scanner that indexed it. */
  index_state: string | null;
  changed_at: number;
}

/** An image that was read and then collected, whose report the scanner is still to forget. */
export interface CollectedImageTable {
  digest: string;
}

/** One lifetime of a tag: alive from `start_at` to before `end_at`. */
export interface TagTable {
  id: string;
  repository_id: string;
  name: string;
  manifest_id: string;
  start_at: number;
  /** Null: until further notice. In the future: the expiration. */
  end_at: number | null;
  /** Whether the tag was put back to an earlier manifest. */
  reversion: 0 | 1;
  /** What keeps it from being changed: a request, or a policy of the repository or its organization. Such a tag has no end. Null: it may be changed. */
  immutable_by: "request" | "policy" | null;
}

/** Which blobs count for a namespace, with how many of its repositories have them. */
export interface NamespaceBlobTable {
  namespace_id: string;
  digest: string;
  size_bytes: number;
  repositories: number;
}

/** The sum of {@link NamespaceBlobTable}. */
export interface NamespaceUsageTable {
  namespace_id: string;
  size_bytes: number;
}
