import type { Generated } from "kysely";
/** Tables of the registry as a whole. */
export interface AdministrationTables {
  log_export: LogExportTable;
  log_archive: LogArchiveTable;
  daily_log_count: DailyLogCountTable;
  usage_log: UsageLogTable;
  service_key: ServiceKeyTable;
  global_message: GlobalMessageTable;
  registry_size: RegistrySizeTable;
  registry_fact: RegistryFactTable;
}

/** An entry of the usage log. It may name accounts and repositories that are gone by now. */
export interface UsageLogTable {
  /** Given by the database, rising. */
  id: Generated<number>;
  kind: string;
  /** The namespace that it happened in. */
  namespace_id: string | null;
  repository_id: string | null;
  /** Null: the registry itself, or an anonymous request. */
  performer_id: string | null;
  /** As it was then. */
  performer_name: string | null;
  ip: string | null;
  /** JSON object. */
  metadata: string;
  at: number;
}

/** A part of the usage log in the blob store. At most one is `writing`: its entries are still in the log. */
export interface LogArchiveTable {
  id: Generated<number>;
  state: "writing" | "archived";
  /** The first entry. */
  from_at: number;
  from_id: number;
  /** The last entry. */
  until_at: number;
  until_id: number;
  entries: number;
  digest: string;
  /** What its file is uploaded as. */
  upload_id: string;
  size_bytes: number;
  created_at: number;
}

/** A service key: the public key of a program that calls the registry. */
export interface ServiceKeyTable {
  /** RFC 7638 thumbprint. */
  kid: string;
  service: string;
  name: string;
  /** JSON. */
  jwk: string;
  /** JSON object. */
  metadata: string;
  created_at: number;
  expires_at: number | null;
  rotation_duration_s: number | null;
  approved_at: number | null;
  approver_id: string | null;
  approval_type: string | null;
  approval_notes: string | null;
}

export interface GlobalMessageTable {
  id: string;
  content: string;
  severity: "info" | "warning" | "error";
  media_type: "text/plain" | "text/markdown";
  created_at: number;
}

/** One row with the result of the last count of stored bytes. */
export interface RegistrySizeTable {
  id: 1;
  size_bytes: number;
  last_ran: number | null;
  queued: 0 | 1;
  running: 0 | 1;
}

/** Facts that every node must agree on, by name. */
export interface RegistryFactTable {
  name: string;
  value: string;
}

/** How often something happened on a day, in a namespace or altogether. */
export interface DailyLogCountTable {
  /** Empty: in none; `*`: anywhere. */
  namespace_id: string;
  /** Days since 1970, in UTC. */
  day: number;
  kind: string;
  count: number;
}

/** A usage log that was exported into the blob store. */
export interface LogExportTable {
  id: string;
  /** The hash of what its link ends with; null while there is none. */
  file_hash: string | null;
  /** The blob, which no repository has; null until it is written. */
  digest: string | null;
  size_bytes: number | null;
  created_at: number;
  /** The end of the link, or of the export where there is none yet. */
  expires_at: number;
}
