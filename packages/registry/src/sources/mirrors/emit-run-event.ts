import type { Principal } from "../../access/principal.ts";
import type { AccountRow, ImageRepository } from "../../access/queries.ts";
import { type EventDeps, emitEvent } from "../../events/emit-event.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { LogKind } from "../../values/log-kinds.ts";
import { mirrorRetries } from "./mirrors.ts";
import { findMirror, type MirrorRow, updateMirror } from "./queries.ts";

/** The repository of a run, and the robot that performs it. */
export interface RunPlace {
  readonly repository: ImageRepository;
  readonly robot: AccountRow | undefined;
  readonly now: number;
}

/** An event of a run. */
export interface RunEvent {
  readonly kind: Extract<
    LogKind,
    `repo_mirror_sync_${"started" | "success" | "failed" | "tag_success" | "tag_failed"}`
  >;
  readonly verb: "start" | "finish" | "end" | "Cancelled";
  readonly message: string;
  readonly tag?: string;
  readonly tags?: string;
}

/** Writes an event of a run to the usage log. Events of whole runs are also sent to the repository's notifications. */
export async function emitRunEvent(
  deps: EventDeps,
  { repository, robot, now }: RunPlace,
  { kind, ...news }: RunEvent,
): Promise<void> {
  const { id: repositoryId, namespace_id: namespaceId, namespace, name: repo } = repository;
  const principal: Principal = robot ? { kind: "robot", account: robot, ownerId: namespaceId } : { kind: "anonymous" };
  const metadata = { namespace, repo, ...news };
  await writeUsageLog(deps.db, { kind, metadata, namespaceId, repositoryId, principal, at: now });
  if (kind === "repo_mirror_sync_tag_success" || kind === "repo_mirror_sync_tag_failed") return;
  await emitEvent(deps, repository, { event: kind, members: { message: news.message } });
}

/** How many characters of a rule a description has: it is in the entry of each tag. */
const mostOfRule = 300;

/** A run in words: what it copies, and by which rule. */
export function describeRun({ external_reference, tag_patterns }: MirrorRow): string {
  const rule = (JSON.parse(tag_patterns) as string[]).join(",");
  return `'${external_reference}' with tag pattern '${rule.length > mostOfRule ? `${rule.slice(0, mostOfRule)}…` : rule}'`;
}

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
