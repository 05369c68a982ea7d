import type { Store } from "@plimsoll/store";

/**
 * The matcher's tables. Advisories, enrichments and covered ecosystems have the interval of update operations `[valid_from, valid_to)` in
 * which their feed contained them: a row that never changes is stored once; a changed one ends and another begins. `valid_to` is null while
 * the latest operation contains it.
 */
export interface MatcherTables {
  updater: UpdaterTable;
  failed_update: FailedUpdateTable;
  update_operation: UpdateOperationTable;
  advisory: AdvisoryTable;
  advisory_staging: AdvisoryStagingTable;
  current_rules: CurrentRulesTable;
  enrichment: EnrichmentTable;
  enrichment_staging: EnrichmentStagingTable;
  text_staging: TextStagingTable;
  record_staging: RecordStagingTable;
  ended_staging: EndedStagingTable;
  running_update: RunningUpdateTable;
  updater_ecosystem: UpdaterEcosystemTable;
  shared_text: SharedTextTable;
}

/** The matcher's database. */
export type MatcherStore = Store<MatcherTables>;

export interface UpdaterTable {
  name: string;
  /** When the feed was last checked, in epoch milliseconds. */
  checked_at: number;
  /** The visible operation. Rows of later operations are being written and not visible. */
  seq: number;
}

/** The failures of feeds' last updates. */
export interface FailedUpdateTable {
  updater: string;
  /** Epoch milliseconds. */
  failed_at: number;
  code: string;
  message: string;
}

export interface UpdateOperationTable {
  /** Increases with each operation of an updater; intervals refer to it. Internal. */
  seq: number;
  /** Increases with each operation of any updater, in the order in which they became visible. Internal. */
  place: number;
  /** UUID. */
  ref: string;
  updater: string;
  fingerprint: string;
  /** Epoch milliseconds; it never decreases for one updater. */
  date: number;
  kind: UpdateKind;
  /** The number of the feed's rows that are valid at this operation. */
  row_count: number;
  /** The number of unusable records of the feed. */
  dropped_count: number;
  /** The first of them, as JSON; null if there are none. */
  dropped: string | null;
  /** What became of the records of the feed, as JSON; null if it is not known. */
  account: string | null;
}

/** The kind of an updater's records. */
export type UpdateKind = "vulnerability" | "enrichment";

/** Columns of a row that is valid for an interval of its updater's operations. */
export interface Interval {
  updater: string;
  valid_from: number;
  valid_to: number | null;
}

/** The content columns of an advisory: if all are equal, it is unchanged. */
export interface AdvisoryColumns {
  advisory_id: string;
  ecosystem: string;
  package_name: string;
  name: string;
  /** Index into `statements` of `advisory-row.ts`: the status and the kind of package. */
  statement: number;
  /** The version before which all versions are affected; null: all versions. Other ranges are in `extra`. */
  fixed: string | null;
  /** JSON of the members that few advisories have. */
  extra: string | null;
  /** The id of the members that only reports show, in `shared_text`. */
  text_id: string;
}

export interface AdvisoryTable extends AdvisoryColumns, Interval {}

/**
 * The rules of an updater's valid advisories for one key, in one row, for look-ups. They are derived from `advisory`. While an update is being
 * written, and shortly after, a key may have two rows: one that is valid until the update is visible, and one from then on.
 */
export interface CurrentRulesTable extends Interval {
  ecosystem: string;
  package_name: string;
  /** JSON in the form of `packedRules`. */
  rules: string;
}

/** The staged rows of a run for `advisory`. */
export interface AdvisoryStagingTable extends AdvisoryColumns {
  run: string;
  updater: string;
}

export interface EnrichmentTable extends Interval {
  tag: string;
  /** The id of the record with all its tags, in `shared_text`. */
  text_id: string;
}

/** The staged rows of a run for `enrichment`. */
export interface EnrichmentStagingTable {
  run: string;
  updater: string;
  tag: string;
  text_id: string;
}

/** The ecosystems of feeds. */
export interface UpdaterEcosystemTable extends Interval {
  ecosystem: string;
}

/** Texts by an id that contains the digest of their content: the same text is stored once. */
export interface SharedTextTable {
  id: string;
  text: string;
}

/** The staged texts of a run for `shared_text`. */
export interface TextStagingTable extends SharedTextTable {
  run: string;
  updater: string;
}

/** The records that the delta of a run names. */
export interface RecordStagingTable {
  run: string;
  updater: string;
  record: string;
}

/** The valid rows that a run ends. */
export interface EndedStagingTable {
  run: string;
  updater: string;
  /** An advisory's id, or an enrichment's tag. */
  row_key: string;
  text_id: string;
}

/** Updates that are being written. Their rows are not visible, because `updater` has an earlier operation or does not have the updater. */
export interface RunningUpdateTable {
  updater: string;
  run: string;
  /** Reserved for the operation that the update becomes. */
  seq: number;
}

/** The tables whose rows are valid for an interval. */
export const intervalTables = ["advisory", "enrichment", "updater_ecosystem"] as const;
