import type { Severity } from "@plimsoll/core/severity";
import type { ColumnType, Generated } from "kysely";

/** The tables of content: repositories, blobs, image manifests, tags. */
export interface ContentTables {
  image_repository: ImageRepositoryTable;
  blob: BlobTable;
  blob_removal: BlobRemovalTable;
  repository_blob: RepositoryBlobTable;
  upload: UploadTable;
  image_manifest: ImageManifestTable;
  manifest_piece: ManifestPieceTable;
  manifest_blob: ManifestBlobTable;
  manifest_child: ManifestChildTable;
  manifest_label: ManifestLabelTable;
  document_attacher: DocumentAttacherTable;
  manifest_scan: ManifestScanTable;
  told_finding: ToldFindingTable;
  ignore_rule: IgnoreRuleTable;
  organization_immutability: OrganizationImmutabilityTable;
  finding_count: FindingCountTable;
  found_vulnerability: FoundVulnerabilityTable;
  found_upgrade: FoundUpgradeTable;
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
  /** When it last suppressed a finding, to the day; null: never. */
  used_at: number | null;
}

export type Visibility = "public" | "private";

/**
 * The state of a repository, which decides who may push. `NORMAL`: every caller with write access. `READ_ONLY`: no caller. `MIRROR`: the robot
 * of the mirror. Repositories that are `deleted` wait for garbage collection.
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
  /** The sum of the sizes of its blobs. */
  size_bytes: number;
  /** JSON: a list of {@link ImmutabilityPolicy}, the oldest first. */
  immutability_policies: Generated<string>;
  created_at: number;
  deleted_at: number | null;
}

/** A policy that makes tags immutable, by their names. */
export interface ImmutabilityPolicy {
  readonly uuid: string;
  /** A regular expression in the syntax of RE2 that matches whole names. */
  readonly tagPattern: string;
  /** False: the policy applies to the tags that do not match. */
  readonly tagPatternMatches: boolean;
}

/** The immutability policies for all repositories of an organization. */
export interface OrganizationImmutabilityTable {
  organization_id: string;
  /** JSON: a list of {@link ImmutabilityPolicy}, the oldest first. */
  policies: string;
}

/** How the content of a blob is damaged: the blob store does not have it, has content of another size or digest, or cannot read it. */
export type BlobFault = "missing" | "wrong_size" | "wrong_digest" | "unreadable";

/** A blob, stored once for the whole registry. */
export interface BlobTable {
  digest: string;
  size_bytes: number;
  created_at: number;
  /** How its content is damaged; null if it is not, as far as is known. No repository has a damaged blob until it is stored again. */
  fault: BlobFault | null;
  /** When the fault was found. */
  damaged_at: number | null;
}

/** A blob that is being removed from the blob store. Until the row is deleted, no blob with this digest can be stored. */
export interface BlobRemovalTable {
  digest: string;
}

/** A link of a blob to a repository. Without a link, the blob is not visible in the repository. */
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
  /** The digest of the finished blob. Set before the blob is stored, so that the blob can be removed if its row is never inserted. */
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
  /** The digest to which it refers. */
  subject: string | null;
  content: ColumnType<StoredContent, string, string>;
  size_bytes: number;
  /** Null for an image index. */
  layers_size_bytes: number | null;
  is_index: 0 | 1;
  created_at: number;
  /** Until when it is kept even if nothing refers to it. */
  kept_until: number;
  /** When it was deleted by its digest. Clients do not see it afterwards, unless a tag is put on it again. */
  deleted_at: number | null;
  /** The bytes of its content and its labels, which count for the namespace. */
  metadata_bytes: Generated<number>;
  /** Rises when its findings may have changed: by a scan, an attached document or a rule. */
  security_revision: Generated<number>;
  /** Of an image, by its configuration, such as `linux/arm64/v8`; null for an index, and where it is not known. */
  platform: ColumnType<string | null, string | null | undefined, string>;
  /** Null for an index, and while it is not known: then `findKind` finds it. */
  kind: ColumnType<ManifestKind | null, ManifestKind | null | undefined, ManifestKind>;
}

/** Whether a container runtime could start a manifest: an `image`, or an `artifact` such as a signature. */
export type ManifestKind = "image" | "artifact";

declare const isStored: unique symbol;

/**
 * The content of a manifest in its row: the pushed text if it is short, and otherwise empty, and in {@link ManifestPieceTable}. `contentOf`
 * reads it.
 */
export interface StoredContent {
  readonly [isStored]: true;
}

/** A piece of the content of a long manifest. */
export interface ManifestPieceTable {
  manifest_id: string;
  /** Its position in the content, in bytes. */
  starts_at: number;
  piece: string;
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

/** An account that has attached a VEX document to an image. */
export interface DocumentAttacherTable {
  /** The artifact with the document. */
  manifest_id: string;
  /** The lifetime of the tag by which it is attached; empty: it is attached by its subject. */
  tag_id: string;
  account_id: string;
  attached_at: number;
}

export type ScanState = "queued" | "scanned" | "failed" | "unsupported" | "manifest_layer_too_large";

/** A vulnerability of an image for which events were queued, as long as the image has it. */
export interface ToldFindingTable {
  manifest_id: string;
  name: string;
  priority: string;
  told_at: number;
}

/** Whether the feeds with which an image was matched were up to date; `unknown` if the scanner does not say. */
export type FeedState = "current" | "outdated" | "missing" | "unknown";

/** The number of vulnerabilities of an image by severity, each counted once. Null: not counted yet. */
export interface FindingCountTable {
  manifest_id: string;
  critical: number | null;
  high: number | null;
  medium: number | null;
  low: number | null;
  negligible: number | null;
  unknown: number | null;
  /** Vulnerabilities with a fix. */
  fixable: number | null;
  /** Vulnerabilities that are known to be exploited. */
  exploited: number | null;
  /** Whether the scan was incomplete, so that the image may have more. */
  is_partial: 0 | 1 | null;
  data_state: FeedState | null;
  counted_at: number | null;
  /** When the image is counted again, unless a scan or an update of feeds counts it earlier; 0: as soon as possible. */
  due_at: number;
  /** When a new vulnerability was last found. */
  news_at: number | null;
}

/** The vulnerability counts of a repository's tagged images from a day until the next stored day. */
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
  /** Images without counts. */
  uncounted: number;
  /** Images with an incomplete scan. */
  partial: number;
}

/** A vulnerability of an image, by one of its names. */
export interface FoundVulnerabilityTable {
  manifest_id: string;
  /** In lower case. */
  name: string;
  /** The worst severity among the packages that have it. */
  severity: Severity;
  has_fix: 0 | 1;
  is_exploited: 0 | 1;
  /** When it was first found in the image; null if that is not known. */
  found_at: number | null;
  /** Whether it is the main name of no advisory. */
  is_alias: Generated<0 | 1>;
}

/** An upgrade of a package that removes critical or high vulnerabilities of an image. */
export interface FoundUpgradeTable {
  manifest_id: string;
  /** Of its package URL; empty if that is not known. */
  package_type: string;
  /** The package to upgrade: the source package, if there is one. */
  package: string;
  version: string;
  to_version: string;
  /** How many vulnerabilities it removes. */
  critical: number;
  high: number;
  exploited: number;
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

/** A scanned image that was collected, whose report is still to be deleted from the scanner. */
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
  /** Null: no end. In the future: the expiration. */
  end_at: number | null;
  /** Whether the tag was reverted to an earlier manifest. */
  reversion: 0 | 1;
  /** What makes it immutable: a request, or a policy of the repository or its organization. Such a tag has no end. Null: it is mutable. */
  immutable_by: "request" | "policy" | null;
}

/** A blob that counts for a namespace, with the number of its repositories that have it. */
export interface NamespaceBlobTable {
  namespace_id: string;
  digest: string;
  size_bytes: number;
  repositories: number;
}

/** The bytes that a namespace keeps. */
export interface NamespaceUsageTable {
  namespace_id: string;
  /** The sum of {@link NamespaceBlobTable}. */
  size_bytes: number;
  /** The sum of the `metadata_bytes` of its manifests. */
  metadata_bytes: Generated<number>;
}
