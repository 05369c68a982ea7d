import { createPublicKey, type KeyObject } from "node:crypto";
import { ScanError } from "@plimsoll/core";
import { cooperativeYield, type JobAttempt } from "@plimsoll/store";
import { type AccountRow, findAccountById } from "../../access/queries.ts";
import { endMutableTag } from "../../content/tags.ts";
import { RegistryError } from "../../errors.ts";
import type { EventDeps } from "../../events/emit-event.ts";
import { UpstreamLimited, waitMsOf } from "../../ports/upstreams.ts";
import { compileGlobs } from "../../values/globs.ts";
import { isTagName } from "../../values/names.ts";
import { stepBudget, stepsOfJob } from "../../values/patterns.ts";
import { copyTags, type SyncDeps } from "./copy-tags.ts";
import { describeRun, emitRunEvent, nextTurn, type RunEvent } from "./emit-run-event.ts";
import type { StoredConfig } from "./external-config.ts";
import { upstreamAddress } from "./external-reference.ts";
import { mirrorRetries } from "./mirrors.ts";
import {
  findMirrored,
  listMountable,
  listTagDigests,
  type MirroredRepository,
  type MirrorRow,
  updateMirror,
} from "./queries.ts";

/** A run that has begun. */
interface Run extends MirroredRepository {
  readonly robot: AccountRow | undefined;
}

/** How a run ended. */
interface RunEnd {
  readonly state: "SUCCESS" | "FAIL";
  readonly message: string;
  readonly tags?: string;
  /** Where the other registry limits the rate of requests. */
  readonly limited?: UpstreamLimited;
}

/** For how long a run may hold its mirror. */
const runMs = 43_200_000;

/**
 * Synchronizes the repository of a mirror, if that is due. The run and its job end in one transaction, so the row has the state `SYNCING`
 * exactly as long as the job is in the queue.
 * @throws Error for failures of this registry: the next attempt then resumes the run
 */
export async function syncMirror(
  attempt: JobAttempt<{ readonly repositoryId: string }>,
  deps: SyncDeps,
): Promise<void> {
  const { store, clock } = deps;
  const run = await beginRun(deps, attempt.payload.repositoryId);
  if (run === undefined) return;
  const end = await copy(deps, run, attempt.signal).catch((error: unknown) => {
    attempt.signal.throwIfAborted();
    if (!(error instanceof ScanError || error instanceof RegistryError)) throw error;
    const message = `${describeRun(run.mirror)}: ${error.message}`;
    return { state: "FAIL", message, limited: error instanceof UpstreamLimited ? error : undefined } as const;
  });
  await store.transaction(async (db) => {
    await attempt.finishIn(db);
    await endRun(deps, { ...run, db }, { end, now: clock.now() });
  });
}

/** Starts the run of a mirror that is due, or resumes a run that was interrupted. */
function beginRun(deps: SyncDeps, repositoryId: string): Promise<Run | undefined> {
  const { store, clock } = deps;
  return store.transaction(async (db) => {
    const found = await findMirrored(db, repositoryId);
    if (found === undefined || !isDue(found.mirror, clock.now())) return undefined;
    const run = { ...found, robot: await findAccountById(db, found.mirror.robot_id) };
    if (run.mirror.sync_state === "SYNCING") return run;
    const now = clock.now();
    await updateMirror(db, repositoryId, { sync_state: "SYNCING", sync_expires_at: now + runMs });
    const message = describeRun(run.mirror);
    await emit(deps, { ...run, db }, { kind: "repo_mirror_sync_started", verb: "start", message });
    return run;
  });
}

function isDue(mirror: MirrorRow, now: number): boolean {
  const { sync_state, is_enabled, sync_start_at, sync_retries, sync_waits_until } = mirror;
  if (sync_state === "SYNC_NOW" || sync_state === "SYNCING") return true;
  if (sync_waits_until !== null && sync_waits_until > now) return false;
  return is_enabled === 1 && sync_start_at !== null && sync_start_at <= now && sync_retries > 0;
}

async function copy(deps: SyncDeps, run: Run, signal: AbortSignal): Promise<RunEnd> {
  const { secrets, outgoing, upstreams, store } = deps;
  const { mirror } = run;
  const address = upstreamAddress(secrets, mirror);
  await outgoing.check(address.hostname);
  await using upstream = await upstreams.open(address);
  const { repository } = run;
  const blobsFrom = await listMountable(store.db, run);
  await deps.intake.healBlobs({ repository, upstream, blobsFrom, signal });
  const offered = new Set(await upstream.listTags(signal));
  const names = await selectTags(mirror, offered);
  const what = describeRun(mirror);
  if (names.length === 0) return { state: "SUCCESS", message: `${what}: No tags matched` };
  const onTag = async (tag: string, failure: string | undefined) => {
    const how = failure === undefined ? "success" : "failed";
    const message = `${what}: ${tag}${failure === undefined ? "" : `: ${failure}`}`;
    await emit(deps, { ...run, db: store.db }, { kind: `repo_mirror_sync_tag_${how}`, verb: "finish", message, tag });
  };
  const how = { timeoutMs: mirror.sync_timeout_s * 1000, blobsFrom };
  const signedBy = signersOf(deps, mirror);
  const copying = { repository, upstream, offered, signal, signedBy, onTag, ...how };
  const { kept, failed, limited } = await copyTags(deps, copying, names);
  const failing = new Set(failed);
  const tags = [...kept].map((tag) => (failing.has(tag) ? `${tag}(FAILED)` : tag)).join(", ");
  if (failed.length > 0) return { state: "FAIL", message: `${what}: PARTIAL SYNC`, tags, limited };
  await removeOthers(deps, run, kept);
  return { state: "SUCCESS", message: what, tags };
}

/** The tags that the rule of a mirror selects. @throws RegistryError if the rule takes too long */
async function selectTags(mirror: MirrorRow, offered: ReadonlySet<string>): Promise<readonly string[]> {
  const patterns = JSON.parse(mirror.tag_patterns) as readonly string[];
  const isFor = compileGlobs(patterns, stepBudget(stepsOfJob, "the tags of the other registry with the rule"));
  const yieldToOthers = cooperativeYield();
  const selected: string[] = [];
  for (const tag of offered) {
    if (isTagName(tag) && isFor(tag)) selected.push(tag);
    await yieldToOthers();
  }
  return selected.sort();
}

/** The keys of which one must have signed the images of a mirror; empty if it may copy unsigned ones. */
function signersOf({ settings }: SyncDeps, { external_config: config }: MirrorRow): readonly KeyObject[] {
  const { unsigned_images: acceptsUnsigned = false } = JSON.parse(config) as StoredConfig;
  return acceptsUnsigned ? [] : settings.mirrorSignatureKeys.map((pem) => createPublicKey(pem));
}

/** Ends the mutable tags that do not belong to the mirror, after a complete run. They can be restored for a while. */
async function removeOthers({ store, clock }: SyncDeps, { repository }: Run, kept: ReadonlySet<string>): Promise<void> {
  const repositoryId = repository.id;
  for (const [name] of await listTagDigests(store.db, repositoryId, clock.now())) {
    if (kept.has(name)) continue;
    await store.transaction((db) => endMutableTag(db, { repositoryId, name, now: clock.now() }));
  }
}

type RunIn = Run & Pick<EventDeps, "db">;

async function endRun(
  deps: SyncDeps,
  run: RunIn,
  { end, now }: { readonly end: RunEnd; readonly now: number },
): Promise<void> {
  const { mirror, repository, db } = run;
  const { state, limited, ...details } = end;
  const waitMs = waitMsOf(limited);
  const retries = state === "FAIL" ? mirror.sync_retries - 1 : 0;
  const turn =
    retries > 0 ? { sync_retries: retries } : { sync_retries: mirrorRetries, sync_start_at: nextTurn(mirror, now) };
  await updateMirror(db, repository.id, {
    sync_state: state,
    sync_expires_at: null,
    sync_waits_until: waitMs > 0 ? now + waitMs : null,
    ...turn,
  });
  const kind = state === "SUCCESS" ? "repo_mirror_sync_success" : "repo_mirror_sync_failed";
  await emit(deps, run, { kind, verb: "end", ...details });
}

function emit({ settings, clock, pageAddress }: SyncDeps, run: RunIn, event: RunEvent): Promise<void> {
  const { repository, robot, db } = run;
  return emitRunEvent({ db, settings, clock, pageAddress }, { repository, robot, now: clock.now() }, event);
}
