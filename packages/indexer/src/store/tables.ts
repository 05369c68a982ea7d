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
  readonly indexer_manifest_record: ManifestRecordTable;
  readonly indexer_keys_state: KeysStateTable;
  readonly indexer_piece: PieceTable;
  readonly indexer_leftover: LeftoverTable;
  readonly indexer_ecosystem: EcosystemTable;
  readonly indexer_scanned: ScannedTable;
}

/** The indexer's database. */
export type IndexerStore = Store<IndexerTables>;

/** What an engine found in a layer. */
export interface LayerTable {
  readonly layer_digest: string;
  readonly engine_state: string;
  /** A long text, see `layer-record.ts`. */
  readonly findings: string;
  readonly more: string | null;
  /** Epoch milliseconds. */
  readonly stored_at: number;
}

/** An image that was indexed successfully. A run in progress or a failed one never touches it. */
export interface ManifestTable {
  readonly id: Generated<number>;
  readonly manifest_digest: string;
  /** The index state under which the report was made. */
  readonly engine_state: string;
  /** A long text, see `format-report.ts`. */
  readonly report: string;
  readonly more: string | null;
  readonly indexed_at: number;
  /** The engine's state of keys under which its records were chosen. */
  readonly keys_state: Generated<string>;
  /** 1 where only scans have stored it, which forget it with its last name. */
  readonly scanned: Generated<number>;
}

/** The run that indexes an image now, or the last one if it failed. A successful run leaves no row. */
export interface RunTable {
  readonly manifest_digest: string;
  /** Names the run: only the process that began it may end it. */
  readonly run: string;
  /** One of `indexStates`. */
  readonly state: string;
  /** What to index, JSON of the wire, secrets included; null as soon as the run has ended. */
  readonly manifest: string | null;
  /** How often the run was begun: it is taken over when it was cut off. */
  readonly attempts: number;
  /** A code of `ScanError`; null for an error of our own. */
  readonly error_code: string | null;
  readonly error: string | null;
  readonly changed_at: number;
}

/** Which layers an image has. */
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

/** What is stored of an image but not visible yet, or not any more, see `leftovers.ts`. */
export interface LeftoverTable {
  /** Of the pieces. */
  readonly name: string;
  /** Of the rows that say which records an image has; null where there are none. No other image gets the id meanwhile. */
  readonly manifest_id: number | null;
  /** The lock of the process that still writes it; null when it is to be deleted. */
  readonly owner: string | null;
}

/** A unit of matching that some image has: a package version with its distribution and repositories. */
export interface RecordTable {
  readonly id: Generated<number>;
  /** Digest of `record`. */
  readonly content_id: string;
  /** JSON, see `index-record.ts`. */
  readonly record: string;
  /** The engine's state of keys that its keys come from. */
  readonly keys_state: Generated<string>;
}

/** States of keys that nodes had when they started. */
export interface KeysStateTable {
  readonly keys_state: string;
  /** When a node with this state started last, in epoch milliseconds. */
  readonly announced_at: number;
}

/** The keys under which a record is looked for. */
export interface RecordKeyTable {
  readonly ecosystem: string;
  readonly package_name: string;
  readonly record_id: number;
}

/** Which images have a record. */
export interface ManifestRecordTable {
  readonly record_id: number;
  readonly manifest_id: number;
}

/** The ecosystems under which packages are looked up of images whose reports are not stored: `debian:12`, `npm`. */
export interface EcosystemTable {
  readonly ecosystem: string;
}

/** The names that images were scanned by: what a name stood for at its last scan. */
export interface ScannedTable {
  readonly name: string;
  /** `linux/amd64`; empty where the image names none. */
  readonly platform: string;
  readonly manifest_digest: string;
  /** Epoch milliseconds. */
  readonly scanned_at: number;
}
