import { ScanError } from "../../errors.ts";
import type { FeedItem, FeedRecord, SkipRule } from "../../plugins/updater.ts";

/** The error for a document of a feed that cannot be read at all. */
export function malformedFeed(location: string, message: string, cause?: unknown): ScanError {
  return new ScanError("malformed_feed", `${location}: ${message}`, { cause });
}

/** The error for a record, or a part of one, that cannot be read. */
export function malformedRecord(found: string): ScanError {
  return new ScanError("malformed_feed", `found ${found}`);
}

/** Why a record has no items: it was withdrawn, or is skipped by a rule. */
export type LeftOut = "withdrawn" | SkipRule;

/** Reads a part of a record. Undefined for a malformed part, while the rest of the record is still used. */
export interface ReadPart {
  <Part>(read: () => Part): Part | undefined;
  /** States why the record has no items, and of what it is; returns none. Without a statement, the rule is `nothing-stated`. */
  leaveOut(reason: LeftOut, what?: string): readonly never[];
}

/** Reads parts of a record that is used only as a whole. @throws what `read` throws */
export const wholeRecord: ReadPart = Object.assign(<Part>(read: () => Part) => read(), { leaveOut: () => [] });

/**
 * The items of one record of a feed, a problem for each malformed part of it, and what became of it. Errors other than ScanError are thrown
 * again.
 */
export function recordItems<Item>(
  at: string,
  read: (readPart: ReadPart) => readonly Item[],
): readonly FeedItem<Item>[] {
  const problems: FeedItem<Item>[] = [];
  let reason: LeftOut | undefined;
  let place = at;
  const readPart: ReadPart = Object.assign(
    <Part>(part: () => Part): Part | undefined => {
      try {
        return part();
      } catch (error) {
        if (!(error instanceof ScanError)) throw error;
        problems.push({ kind: "problem", at, message: error.message });
        return undefined;
      }
    },
    {
      leaveOut(why: LeftOut, what?: string) {
        reason = why;
        place = what === undefined ? at : `${at} (${what})`;
        return [];
      },
    },
  );
  const items = readPart(() => read(readPart)) ?? [];
  const outcome = items.length > 0 ? readRecord : problems.length > 0 ? failedRecord : leftOutRecord(reason, place);
  return [...problems, ...items.map((item) => ({ kind: "item", item }) as const), outcome];
}

/** What became of a record that was used. */
export const readRecord: FeedRecord = { kind: "record", outcome: "read" };

/** What became of a record of which nothing could be used. */
export const failedRecord: FeedRecord = { kind: "record", outcome: "failed" };

/** What became of a record, or a document, without items. */
export function leftOutRecord(reason: LeftOut | undefined, at: string): FeedRecord {
  if (reason === "withdrawn") return { kind: "record", outcome: "withdrawn" };
  return { kind: "record", outcome: "skipped", rule: reason ?? "nothing-stated", at };
}

/** The items of several records in a part of a document; a part that cannot be read counts as one record. */
export function partItems<Part, Item>(
  at: string,
  read: () => readonly Part[],
  itemsOf: (part: Part) => readonly FeedItem<Item>[],
): readonly FeedItem<Item>[] {
  try {
    return read().flatMap(itemsOf);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    return failedItems(at, error.message);
  }
}

/** A record that could not be read, and why. */
export function failedItems(at: string, message: string): readonly [FeedProblem, FeedRecord] {
  return [{ kind: "problem", at, message }, failedRecord];
}

type FeedProblem = Extract<FeedItem<never>, { readonly kind: "problem" }>;
