import { attachedKinds } from "@plimsoll/core";
import type { ScanOutcome } from "../ports/scanning.ts";

/** The result of a scan that was done. */
export type DoneScan = Extract<ScanOutcome, { readonly status: "scanned" }>;

/**
 * What a scan could not tell: unread parts of the image, and packages that no feed covers; undefined where there is nothing. An attached
 * document that cannot be read takes nothing from what the layers tell.
 */
export function missingOf({ coverage, feeds = [] }: Pick<DoneScan, "coverage" | "feeds">): string | undefined {
  const unread = coverage.layers.find(({ status }) => status === "foreign");
  if (unread !== undefined) return `the layer ${unread.digest} is elsewhere and was not read`;
  const problem = coverage.problems.find(({ code }) => !attachedKinds.some((kind) => kind.code === code));
  if (problem !== undefined) return `${problem.at}: ${problem.message}`;
  const bare = feeds.find(({ isCovered }) => !isCovered);
  return bare && `no feed covers ${bare.ecosystem}`;
}
