import type { ScanError } from "../../errors.ts";

/** A document of a feed with its content. */
export interface FeedText {
  /** In its archive or folder; for the configured location itself, that location. */
  readonly name: string;
  /** Names the document in messages. */
  readonly location: string;
  readonly bytes: Uint8Array;
  /** Whether it is one of many in an archive: what is wrong with it is then a problem of its own. */
  readonly isEntry: boolean;
}

/** A document that cannot be read out of its archive. */
export interface UnreadableText {
  readonly name: string;
  readonly location: string;
  readonly error: ScanError;
}

/** Whether a name is that of a document that is wanted. */
export type WantsDocument = (name: string) => boolean;
