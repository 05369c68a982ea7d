/** Caps on what one layer may cost. Every cap ends in a {@link ScanError} that names it, never in a hang. */
export interface Limits {
  /** Uncompressed bytes of one layer. */
  readonly maxLayerBytes: number;
  /** Uncompressed bytes per compressed byte, once a layer is larger than `ratioFromBytes`. */
  readonly maxRatio: number;
  /** Uncompressed size below which the ratio is not looked at. */
  readonly ratioFromBytes: number;
  /** Entries of one layer, and paths with the folders that entries imply. */
  readonly maxEntries: number;
  /** Bytes of one path or link target. */
  readonly maxPathBytes: number;
  /** Bytes of one tar meta record (pax header, GNU long name). */
  readonly maxMetaBytes: number;
  /** Bytes of one file that a detector wants; a larger one becomes a problem finding. */
  readonly maxFileBytes: number;
  /** Bytes of all wanted files of one layer together. */
  readonly maxKeptBytes: number;
  /** Packages and all else that detectors find in one layer. */
  readonly maxFindings: number;
  /** Characters of all text in them: names, versions, paths. */
  readonly maxFindingCharacters: number;
  /** Layers of one image. */
  readonly maxLayers: number;
}

/** The limits an engine uses where the caller names none. */
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
