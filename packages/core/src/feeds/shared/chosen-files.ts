import type { FeedRecord } from "../../plugins/updater.ts";
import { type FeedFile, feedFiles } from "./feed-files.ts";
import type { ReadablePart } from "./feed-parts.ts";
import { skipRuleOf, type WantsDocument } from "./feed-text.ts";
import { leftOutRecord, malformedFeed } from "./malformed-feed.ts";

/** The files of a feed that are read, and what became of the others. */
export interface ChosenFiles {
  readonly files: readonly FeedFile[];
  readonly skipped: readonly FeedRecord[];
}

/** The files of the parts that are wanted by their names. @throws ScanError `malformed_feed` if none of them is, so that the stored advisories are not deleted */
export function chosenFiles(
  parts: readonly ReadablePart[],
  wants: WantsDocument,
  { feed, expected }: { readonly feed: string; readonly expected: string },
): ChosenFiles {
  const chosen = chooseFiles(parts.flatMap(feedFiles), wants);
  if (chosen.files.length === 0) throw malformedFeed(feed, `expected ${expected}, found none`);
  return chosen;
}

/** Chooses files by their names. The configured location itself is always read. */
export function chooseFiles(all: readonly FeedFile[], wants: WantsDocument): ChosenFiles {
  const files: FeedFile[] = [];
  const skipped: FeedRecord[] = [];
  for (const file of all) {
    const rule = file.name === "" ? undefined : skipRuleOf(wants, file.name);
    if (rule === undefined) files.push(file);
    else skipped.push(leftOutRecord(rule, file.location));
  }
  return { files, skipped };
}
