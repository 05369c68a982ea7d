/** Caps on the cost of one layer. Exceeding one throws a {@link ScanError} that names it, unless the member says otherwise. */
export interface Limits {
  /** Uncompressed bytes of one layer. */
  readonly maxLayerBytes: number;
  /** Uncompressed bytes per compressed byte, once a layer is larger than `ratioFromBytes`. */
  readonly maxRatio: number;
  /** Uncompressed size below which the ratio is not checked. */
  readonly ratioFromBytes: number;
  /** Entries of one layer; also its paths, including the folders that entries imply. */
  readonly maxEntries: number;
  /** Bytes of one path or link target. */
  readonly maxPathBytes: number;
  /** Bytes of one tar meta record (pax header, GNU long name). */
  readonly maxMetaBytes: number;
  /** Bytes of one file that a detector wants; a larger one becomes a problem finding. */
  readonly maxFileBytes: number;
  /** Bytes of all wanted files of one layer together. */
  readonly maxKeptBytes: number;
  /** Findings of all kinds in one layer. */
  readonly maxFindings: number;
  /** Characters of all text in the findings of one layer: names, versions, paths. */
  readonly maxFindingCharacters: number;
  /** Layers of one image. */
  readonly maxLayers: number;
}

/** The limits of an engine where the caller gives none. */
export const defaultLimits: Limits = {
  maxLayerBytes: 32 * 1024 ** 3,
  maxRatio: 250,
  ratioFromBytes: 256 * 1024 ** 2,
  maxEntries: 2_000_000,
  maxPathBytes: 4096,
  maxMetaBytes: 1024 ** 2,
  maxFileBytes: 256 * 1024 ** 2,
  maxKeptBytes: 512 * 1024 ** 2,
  maxFindings: 40_000,
  maxFindingCharacters: 16 * 1024 ** 2,
  maxLayers: 4096,
};
