/** One record of an rpm package database: a package's header, not decoded yet. */
export interface RpmRecord {
  readonly kind: "record";
  /** rpm's number for the installed package (`hnum`). */
  readonly recordNumber: number;
  readonly blob: Uint8Array;
}
