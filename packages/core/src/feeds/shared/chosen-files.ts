import type { FeedRecord } from "../../plugins/updater.ts";
import type { FeedFile } from "./feed-files.ts";
import { skipRuleOf, type WantsDocument } from "./feed-text.ts";
import { leftOutRecord } from "./malformed-feed.ts";

/** The files of a feed that are read, and what became of the others. */
export interface ChosenFiles {
  readonly files: readonly FeedFile[];
  readonly skipped: readonly FeedRecord[];
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
