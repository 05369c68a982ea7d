import type { ScanError } from "../../errors.ts";

/** A document of a feed with its content. */
export interface FeedText {
  /** The name in its archive or folder; for the configured location itself, the location. */
  readonly name: string;
  /** Names the document in messages. */
  readonly location: string;
  readonly bytes: Uint8Array;
  /** Whether it is an entry of an archive: a malformed entry gives a problem instead of an error. */
  readonly isEntry: boolean;
}

/** A document that cannot be read from its archive. */
export interface UnreadableText {
  readonly name: string;
  readonly location: string;
  readonly error: ScanError;
}

/** Whether a document is wanted, by its name. */
export type WantsDocument = (name: string) => boolean;
