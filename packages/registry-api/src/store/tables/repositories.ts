import type { Generated } from "kysely";
import type { RepositoryRole } from "./accounts.ts";

/** The tables of settings of repositories and namespaces. */
export interface RepositoryTables {
  repository_star: RepositoryStarTable;
  account_permission: AccountPermissionTable;
  team_permission: TeamPermissionTable;
  repository_token: RepositoryTokenTable;
  repository_notification: RepositoryNotificationTable;
  repository_delivery: RepositoryDeliveryTable;
  told_expiration: ToldExpirationTable;
  prune_policy: PrunePolicyTable;
  pull_gate: PullGateTable;
  quota: QuotaTable;
  quota_limit: QuotaLimitTable;
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

/** How often a repository was used on a day. */
export interface DailyActionCountTable {
  repository_id: string;
  /** `YYYY-MM-DD`. */
  day: string;
  count: number;
  /** How many of these actions were pulls. */
  pulls: Generated<number>;
}
