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
 * The update operations that were dealt with. A row stays after its set is gone: what was told is never told again.
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
  /** Who is told. */
  subscriber: string;
  /** 1: all that a feed says which was never seen before. */
  is_first: 0 | 1;
  /** The operation. */
  ref: string;
  updater: string;
  state: SetState;
  notifications: number;
  created_at: number;
  /** When it got its state. */
  changed_at: number;
  /** Why the last delivery failed. */
  last_error: string | null;
}

/**
 * `writing`: not all of it is there, and its id is not published yet; the holder of the updater's lock deletes what is left of one.
 * `failed`: the last delivery failed; there may be another.
 */
export type SetState = "writing" | "created" | "delivered" | "failed";

/** The vulnerabilities of a set: each text once, however many manifests it applies to. */
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

/** What an update operation changed, as long as not all of it is known. One operation of an updater at a time, for each subscriber. */
export interface StagedChangeTable {
  subscriber: string;
  updater: string;
  manifest: string;
  /** Means something only to the code that stages. */
  vulnerability: number;
  /** 0: removed. */
  is_added: number;
}
