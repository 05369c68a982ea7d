import type { Store } from "@plimsoll/store";
import type { Reason } from "../values/notification.ts";

/** The notifier's tables. */
export interface NotifierTables {
  notified_operation: NotifiedOperationTable;
  notification_set: NotificationSetTable;
  notified_vulnerability: NotifiedVulnerabilityTable;
  notification: NotificationTable;
  staged_change: StagedChangeTable;
}

/** The notifier's database. */
export type NotifierStore = Store<NotifierTables>;

/**
 * The processed update operations. A row is kept longer than its set, so that no change is sent twice.
 */
export interface NotifiedOperationTable {
  subscriber: string;
  ref: string;
  updater: string;
  /** When the matcher recorded it. */
  recorded_at: number;
}

/** The notifications of one update operation. */
export interface NotificationSetTable {
  id: string;
  /** The receiver of the set. */
  subscriber: string;
  /** 1: the set has the complete content of a new feed. */
  is_first: 0 | 1;
  /** The update operation. */
  ref: string;
  updater: string;
  state: SetState;
  notifications: number;
  created_at: number;
  /** When its state changed last. */
  changed_at: number;
  /** Why the last delivery failed. */
  last_error: string | null;
}

/**
 * `writing`: the set is incomplete, and its id is not published yet. The holder of the updater's lock deletes abandoned ones.
 * `failed`: the last delivery failed, and may be tried again.
 */
export type SetState = "writing" | "created" | "delivered" | "failed";

/** The distinct vulnerabilities of a set. */
export interface NotifiedVulnerabilityTable {
  set_id: string;
  number: number;
  /** JSON. */
  summary: string;
}

/** The notifications of a set in order. */
export interface NotificationTable {
  set_id: string;
  /** From 1. */
  seq: number;
  id: string;
  manifest: string;
  reason: Reason;
  vulnerability: number;
}

/** The changes of an update operation until all are known; for each subscriber, one operation of an updater at a time. */
export interface StagedChangeTable {
  subscriber: string;
  updater: string;
  manifest: string;
  /** A number that only the staging code can interpret. */
  vulnerability: number;
  /** 0: removed. */
  is_added: number;
}
