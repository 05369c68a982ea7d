import type { RegistryDb } from "../../store/tables/all.ts";
import { mirrorRetries } from "./mirrors.ts";
import { findMirror, type MirrorRow, updateMirror } from "./queries.ts";

/** When a mirror is due next: as planned, or if that is past, a whole number of intervals later. Null: never. */
export function nextTurn(
  { sync_start_at: startAt, sync_interval_s }: Pick<MirrorRow, "sync_start_at" | "sync_interval_s">,
  now: number,
): number | null {
  if (startAt === null || startAt > now) return startAt;
  const intervalMs = Math.max(1, sync_interval_s) * 1000;
  return startAt + (Math.floor((now - startAt) / intervalMs) + 1) * intervalMs;
}

/** Records in the row of a mirror that its run was cancelled. Later runs come as planned. Does nothing if the mirror is deleted. */
export async function endCancelledRun(db: RegistryDb, repositoryId: string, now: number): Promise<void> {
  const mirror = await findMirror(db, repositoryId);
  if (mirror === undefined) return;
  await updateMirror(db, repositoryId, {
    sync_state: "CANCEL",
    sync_expires_at: null,
    sync_retries: mirrorRetries,
    sync_start_at: nextTurn(mirror, now),
  });
}
