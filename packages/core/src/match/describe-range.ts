import type { AdvisoryRange } from "../model/advisory.ts";

/** A range in words: `all versions below 1.2-3`. */
export function describeRange({ introduced, fixed, lastAffected, below }: AdvisoryRange): string {
  const from = introduced === undefined || introduced === "0" ? undefined : `from ${introduced}`;
  const end = fixed ?? below;
  const until = end === undefined ? lastAffected && `up to ${lastAffected}` : `below ${end}`;
  const words = [from, until].filter((word) => word !== undefined);
  return words.length === 0 ? "all versions" : `all versions ${words.join(" ")}`;
}
