import { ScanError } from "../../errors.ts";
import type { FeedItem } from "../../plugins.ts";

/** The error for a document of a feed that is unusable as a whole. */
export function malformedFeed(location: string, message: string, cause?: unknown): ScanError {
  return new ScanError("malformed_feed", `${location}: ${message}`, { cause });
}

/**
 * What one record of a feed gives: its items or, where it cannot be read, the problem with it. Anything but a ScanError
 * is thrown on.
 */
export function recordItems<Item>(at: string, read: () => readonly Item[]): readonly FeedItem<Item>[] {
  try {
    return read().map((item) => ({ kind: "item", item }));
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    return [{ kind: "problem", at, message: error.message }];
  }
}
