/** Builds of images. */
export interface BuildTables {
  build: BuildTable;
  build_log: BuildLogTable;
  build_log_archive: BuildLogArchiveTable;
  build_trigger: BuildTriggerTable;
  build_trigger_delivery: BuildTriggerDeliveryTable;
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
  | "cancelled"
  | "expired";

export interface BuildTable {
  id: string;
  repository_id: string;
  phase: BuildPhase;
  /** The account that requested it. */
  manual_account_id: string | null;
  /** Empty if {@link source} is set. */
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
  /** The hash of the secret with which the running attempt pushes. */
  token_hash: string | null;
  /** When that secret expires, in epoch milliseconds. */
  token_expires_at: number | null;
  /** The digest of the pushed image. */
  manifest_digest: string | null;
  /** The trigger that requested it; null if an account did. */
  trigger_id: string | null;
}

/** A webhook of a forge, which builds what is pushed there. */
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

/** A delivery that was received, stored so that a repeated one has no effect. */
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
  /** Also the first line of the file, so that no two files have the same digest, and the id of its upload. */
  id: string;
  /** Null once the build is deleted. */
  build_id: string | null;
  state: "writing" | "archived";
  entries: number;
  digest: string;
  size_bytes: number;
}
