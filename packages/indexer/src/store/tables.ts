import type { Store } from "@plimsoll/store";
import type { Generated } from "kysely";

/** The tables of the indexer. */
export interface IndexerTables {
  readonly indexer_layer: LayerTable;
  readonly indexer_manifest: ManifestTable;
  readonly indexer_run: RunTable;
  readonly indexer_manifest_layer: ManifestLayerTable;
  readonly indexer_record: RecordTable;
  readonly indexer_record_key: RecordKeyTable;
  readonly indexer_record_fact: RecordFactTable;
  readonly indexer_manifest_record: ManifestRecordTable;
  readonly indexer_keys_state: KeysStateTable;
  readonly indexer_piece: PieceTable;
  readonly indexer_leftover: LeftoverTable;
  readonly indexer_ecosystem: EcosystemTable;
  readonly indexer_scanned: ScannedTable;
}

/** The indexer's database. */
export type IndexerStore = Store<IndexerTables>;

/** The findings of an engine in a layer. */
export interface LayerTable {
  readonly layer_digest: string;
  readonly engine_state: string;
  /** A long text, see `layer-record.ts`. */
  readonly findings: string;
  readonly more: string | null;
  /** Epoch milliseconds. */
  readonly stored_at: number;
}

/** A successfully indexed image. A running or failed run never changes it. */
export interface ManifestTable {
  readonly id: Generated<number>;
  readonly manifest_digest: string;
  /** The index state under which the report was made. */
  readonly engine_state: string;
  /** A long text, see `format-report.ts`. */
  readonly report: string;
  readonly more: string | null;
  readonly indexed_at: number;
  /** The engine's keys state, under which its records were chosen. */
  readonly keys_state: Generated<string>;
  /** 1 if only scans have stored it: it is deleted with its last name. */
  readonly scanned: Generated<number>;
}

/** The current run of an image, or the last one if it failed. A successful run leaves no row. */
export interface RunTable {
  readonly manifest_digest: string;
  /** The id of the run: only the process that began it may end it. */
  readonly run: string;
  /** One of `indexStates`. */
  readonly state: string;
  /** The submitted manifest as JSON, including secrets; null as soon as the run has ended. */
  readonly manifest: string | null;
  /** The number of attempts: an interrupted run is taken over. */
  readonly attempts: number;
  /** A code of `ScanError`; null for an internal error. */
  readonly error_code: string | null;
  readonly error: string | null;
  readonly changed_at: number;
}

/** The layers of images. */
export interface ManifestLayerTable {
  readonly layer_digest: string;
  readonly manifest_id: number;
}

/** Pieces of long texts, see `long-text.ts`. */
export interface PieceTable {
  readonly name: string;
  readonly number: number;
  readonly piece: string;
}

/** Content that is not visible yet, or not any more, see `leftovers.ts`. */
export interface LeftoverTable {
  /** The name of the pieces. */
  readonly name: string;
  /** The image id of the rows of `indexer_manifest_record`; null if there are none. No other image gets the id meanwhile. */
  readonly manifest_id: number | null;
  /** The lock of the process that writes it; null if it is to be deleted. */
  readonly owner: string | null;
}

/** A unit of matching: a package version with its distribution and repositories. */
export interface RecordTable {
  readonly id: Generated<number>;
  /** Digest of `record`. */
  readonly content_id: string;
  /** JSON, see `index-record.ts`. */
  readonly record: string;
  /** The engine's keys state, from which its keys come. */
  readonly keys_state: Generated<string>;
}

/** The keys states of nodes at their start. */
export interface KeysStateTable {
  readonly keys_state: string;
  /** The last start of a node with this state, in epoch milliseconds. */
  readonly announced_at: number;
}

/** The keys of records. */
export interface RecordKeyTable {
  readonly ecosystem: string;
  readonly package_name: string;
  readonly record_id: number;
}

/** What else the images of records are found by. */
export interface RecordFactTable {
  /** One of `factKinds`. */
  readonly kind: string;
  /** In lower case. */
  readonly value: string;
  readonly record_id: number;
}

/** The records of images. */
export interface ManifestRecordTable {
  readonly record_id: number;
  readonly manifest_id: number;
}

/** The ecosystems of packages in images whose reports are not stored: `debian:12`, `npm`. */
export interface EcosystemTable {
  readonly ecosystem: string;
}

/** The names under which images were scanned, each with the image of its last scan. */
export interface ScannedTable {
  readonly name: string;
  /** Such as `linux/amd64`; empty if the image names none. */
  readonly platform: string;
  readonly manifest_digest: string;
  /** Epoch milliseconds. */
  readonly scanned_at: number;
}
