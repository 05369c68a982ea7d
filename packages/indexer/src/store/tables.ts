/** The tables of the indexer. */
export interface IndexerTables {
  readonly indexer_layer: LayerTable;
}

/** What an engine found in a layer. */
export interface LayerTable {
  readonly layer_digest: string;
  readonly engine_state: string;
  /** JSON, see `layer-record.ts`. */
  readonly findings: string;
  /** Epoch milliseconds. */
  readonly stored_at: number;
}
