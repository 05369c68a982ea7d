import { ScanError } from "../../errors.ts";
import type { FeedItem } from "../../plugins/updater.ts";

/** The error for a document of a feed that cannot be read at all. */
export function malformedFeed(location: string, message: string, cause?: unknown): ScanError {
  return new ScanError("malformed_feed", `${location}: ${message}`, { cause });
}

/** The error for a record, or a part of one, that cannot be read. */
export function malformedRecord(found: string): ScanError {
  return new ScanError("malformed_feed", `found ${found}`);
}

/** Reads a part of a record. Undefined for a malformed part, while the rest of the record is still used. */
export type ReadPart = <Part>(read: () => Part) => Part | undefined;

/** Reads parts of a record that is used only as a whole. @throws what `read` throws */
export const wholeRecord: ReadPart = (read) => read();

/**
 * The items of one record of a feed, and a problem for each malformed part of it. Errors other than ScanError are thrown
 * again.
 */
export function recordItems<Item>(
  at: string,
  read: (readPart: ReadPart) => readonly Item[],
): readonly FeedItem<Item>[] {
  const problems: FeedItem<Item>[] = [];
  const readPart: ReadPart = (part) => {
    try {
      return part();
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      problems.push({ kind: "problem", at, message: error.message });
      return undefined;
    }
  };
  const items = readPart(() => read(readPart)) ?? [];
  return [...problems, ...items.map((item) => ({ kind: "item", item }) as const)];
}
