import { ScanError } from "../errors.ts";

/** Facts about an archive that are known before it is read. */
export interface Archive {
  /** For messages. */
  readonly location: string;
  readonly sizeBytes: number;
}

/** The error for bytes that are not a zip archive, or are a damaged one. */
export function malformedArchive({ location }: Archive, found: string): ScanError {
  return new ScanError("malformed_archive", `${location}: expected a zip archive, found ${found}`);
}

/** A view that reads numbers from bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
