import type { RegistryDb } from "../../store/tables/all.ts";
import { mirrorRetries } from "./mirrors.ts";
import { nextTurn } from "./next-turn.ts";
import { findMirror, updateMirror } from "./queries.ts";

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
