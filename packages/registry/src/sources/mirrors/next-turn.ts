import type { MirrorRow } from "./queries.ts";

/** When a mirror is due next: as planned, or if that is past, a whole number of intervals later. Null: never. */
export function nextTurn(
  { sync_start_at: startAt, sync_interval_s }: Pick<MirrorRow, "sync_start_at" | "sync_interval_s">,
  now: number,
): number | null {
  if (startAt === null || startAt > now) return startAt;
  const intervalMs = Math.max(1, sync_interval_s) * 1000;
  return startAt + (Math.floor((now - startAt) / intervalMs) + 1) * intervalMs;
}
