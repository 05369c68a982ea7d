import type { AdvisoryRange } from "../model/advisory.ts";

/** A range in words: `all versions below 1.2-3`. */
export function describeRange({ introduced, fixed, lastAffected }: AdvisoryRange): string {
  const from = introduced === undefined || introduced === "0" ? undefined : `from ${introduced}`;
  const until = fixed === undefined ? lastAffected && `up to ${lastAffected}` : `below ${fixed}`;
  const words = [from, until].filter((word) => word !== undefined);
  return words.length === 0 ? "all versions" : `all versions ${words.join(" ")}`;
}
