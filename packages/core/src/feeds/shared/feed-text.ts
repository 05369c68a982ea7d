import type { ScanError } from "../../errors.ts";
import type { SkipRule } from "../../plugins/updater.ts";

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

/** A document that is not read, and why. */
export interface SkippedText {
  readonly location: string;
  readonly skipped: SkipRule;
}

/** Whether a document is wanted, by its name; false or a rule for one that is skipped. Without a rule it is `not-an-advisory`. */
export type WantsDocument = (name: string) => boolean | SkipRule;

/** The rule by which a document is skipped; undefined for one that is wanted. An extension in upper case is equal to one in lower case. */
export function skipRuleOf(wants: WantsDocument, name: string): SkipRule | undefined {
  const wanted = wants(name.replace(/\.[^./]+$/, (extension) => extension.toLowerCase()));
  if (typeof wanted === "string") return wanted;
  return wanted ? undefined : "not-an-advisory";
}
