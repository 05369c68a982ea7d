import type { FeedStatus } from "@plimsoll/scanner";
import { ageInWords, counted } from "../render/terminal-text.ts";

/** Milliseconds of a day. */
export const dayMs = 86_400_000;

/** Why the loaded advisory data cannot be relied on, and what to do; undefined if nothing is wrong. */
export function databaseProblem(feeds: readonly FeedStatus[], maxAgeDays: number, now: number): string | undefined {
  if (feeds.length === 0) return "there is no advisory data: run plimsoll db update";
  const old = feeds.filter((feed) => now - feed.checkedAt > maxAgeDays * dayMs);
  if (old.length === 0) return undefined;
  const ages = old.map((feed) => `${feed.name} was last checked ${ageInWords(now - feed.checkedAt)} ago`);
  return `advisory data is older than ${counted(maxAgeDays, "day")} (${ages.join(", ")}): run plimsoll db update`;
}
