import { attachedKinds, undecidedText } from "@plimsoll/core/internal";
import type { ScanOutcome } from "../ports/scanning.ts";

/** The result of a finished scan. */
export type DoneScan = Extract<ScanOutcome, { readonly status: "scanned" }>;

/**
 * Why a scan is incomplete: a part of the image was not read, some packages cannot be judged, or no feed covers some; undefined if it is complete. Attached
 * documents that cannot be read do not count, since they change nothing about the layers.
 */
export function missingOf({
  report,
  coverage,
  feeds = [],
}: Pick<DoneScan, "report" | "coverage" | "feeds">): string | undefined {
  const unread = coverage.layers.find(({ status }) => status === "foreign");
  if (unread !== undefined) return `the layer ${unread.digest} is elsewhere and was not read`;
  const problem = coverage.problems.find(({ code }) => !attachedKinds.some((kind) => kind.code === code));
  if (problem !== undefined) return `${problem.at}: ${problem.message}`;
  const [undecided] = coverage.undecided ?? [];
  if (undecided !== undefined) return undecidedText(undecided, report.packages);
  const bare = feeds.find(({ isCovered }) => !isCovered);
  return bare && `no feed covers ${bare.ecosystem}`;
}
