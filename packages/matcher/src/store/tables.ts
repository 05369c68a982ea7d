import type { Store } from "@plimsoll/store";

/**
 * The matcher's tables. Advisories, enrichments and covered ecosystems are kept with the interval of update operations
 * `[valid_from, valid_to)` in which their feed said so: a row that never changes is stored once, a changed one ends and
 * another begins. `valid_to` is null while the latest operation says so.
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
  /** When the feed was last found to be as it is here. */
  checked_at: number;
  /** Of the operation that is shown now. Rows of later ones are on their way, and not visible. */
  seq: number;
}

/** The last updates of feeds that failed. */
export interface FailedUpdateTable {
  updater: string;
  /** Epoch milliseconds. */
  failed_at: number;
  code: string;
  message: string;
}

export interface UpdateOperationTable {
  /** Grows with each operation of an updater; what intervals count in. Never shown. */
  seq: number;
  /** Grows with each operation of whichever updater, in the order in which they became visible. Never shown. */
  place: number;
  /** UUID. */
  ref: string;
  updater: string;
  fingerprint: string;
  /** Epoch milliseconds; of one updater never decreasing. */
  date: number;
  kind: UpdateKind;
  /** Rows of the feed that hold as of this operation. */
  row_count: number;
  /** Records of the feed that could not be used. */
  dropped_count: number;
  /** The first of them, as JSON; null where there are none. */
  dropped: string | null;
}

/** The kind of an updater's records. */
export type UpdateKind = "vulnerability" | "enrichment";

/** Columns of a row that holds for an interval of its updater's operations. */
export interface Interval {
  updater: string;
  valid_from: number;
  valid_to: number | null;
}

/** The columns that say what an advisory is: an advisory whose columns are all the same is unchanged. */
export interface AdvisoryColumns {
  advisory_id: string;
  ecosystem: string;
  package_name: string;
  name: string;
  /** Index into `statements` of `advisory-row.ts`: what is said, and of which kind of package. */
  statement: number;
  /** When the advisory speaks of all versions, or of all before this one. Other ranges are in `extra`. */
  fixed: string | null;
  /** JSON of what few advisories have. */
  extra: string | null;
  /** What only reports show, in `shared_text`. */
  text_id: string;
}

export interface AdvisoryTable extends AdvisoryColumns, Interval {}

/**
 * What the advisories of an updater that are valid now say of a key, all in one row: what look-ups read. Made from `advisory`. Only while
 * an update is on its way, and shortly after, there are two of a key: those that hold until it is visible, and those from then on.
 */
export interface CurrentRulesTable extends Interval {
  ecosystem: string;
  package_name: string;
  /** JSON, as `packedRules` writes it. */
  rules: string;
}

/** A run's snapshot on its way into `advisory`. */
export interface AdvisoryStagingTable extends AdvisoryColumns {
  run: string;
  updater: string;
}

export interface EnrichmentTable extends Interval {
  tag: string;
  /** The record with all its tags, in `shared_text`. */
  text_id: string;
}

/** A run's snapshot on its way into `enrichment`. */
export interface EnrichmentStagingTable {
  run: string;
  updater: string;
  tag: string;
  text_id: string;
}

/** Which ecosystems a feed speaks of. */
export interface UpdaterEcosystemTable extends Interval {
  ecosystem: string;
}

/** Texts under the digest of their content: the same text is stored once. */
export interface SharedTextTable {
  id: string;
  text: string;
}

/** Texts of a run on their way into `shared_text`. */
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

/** The rows that hold now and that a run ends. */
export interface EndedStagingTable {
  run: string;
  updater: string;
  /** An advisory's id, or an enrichment's tag. */
  row_key: string;
  text_id: string;
}

/** Updates that are being written: what is there of them is not visible, as `updater` shows an earlier operation or has no such updater. */
export interface RunningUpdateTable {
  updater: string;
  run: string;
  /** Kept for the operation that the update becomes. */
  seq: number;
}

/** The tables whose rows hold for an interval. */
export const intervalTables = ["advisory", "enrichment", "updater_ecosystem"] as const;
