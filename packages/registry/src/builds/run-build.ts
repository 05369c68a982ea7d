import { parseDigest } from "@plimsoll/core/digest";
import type { Json } from "@plimsoll/core/report";
import { DeadlinePassed, type JobAttempt } from "@plimsoll/store";
import { hashSecret, randomToken } from "../crypto/secrets.ts";
import type { Deps } from "../deps.ts";
import { RegistryError } from "../errors.ts";
import { type EventDeps, emitEvent } from "../events/emit-event.ts";
import { type BlobStore, isLostBlob } from "../ports/blob-store.ts";
import { BuildError, type BuildOrder, type BuildProgress, type ImageBuilder } from "../ports/building.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { buildEvent } from "./build-event.ts";
import { BuildLogWriter, readable } from "./build-log.ts";
import { type BuildSource, storedSource } from "./build-source.ts";
import { buildTokenName } from "./build-tokens.ts";
import { type BuildRow, beginAttempt, changeBuild, endOfLog, findBuild, findRobotToken } from "./queries.ts";

/** What {@link runBuild} needs. */
export interface RunBuildDeps
  extends Pick<
    Deps,
    "store" | "settings" | "clock" | "outgoing" | "gitArchives" | "blobs" | "secrets" | "pageAddress"
  > {
  readonly imageBuilder: ImageBuilder;
}

/** The longest duration of a build, in seconds. Its secret for the push expires a little later. */
export const buildSeconds = 7200;

const tokenMarginMs = 300_000;

/**
 * Runs an attempt at a build. In one transaction with the job it ends the build as `complete`, or as `error` if it can never succeed or
 * takes too long. Other errors are thrown, and the job is retried until `giveUpBuild` ends the build.
 */
export async function runBuild(attempt: JobAttempt<{ readonly buildId: string }>, deps: RunBuildDeps) {
  const { store, clock } = deps;
  const { db } = store;
  const build = await findBuild(db, attempt.payload.buildId);
  if (build === undefined) return;
  const secret = randomToken();
  const own = { id: build.id, tokenHash: hashSecret(secret) };
  const expiresAt = clock.now() + buildSeconds * 1000 + tokenMarginMs;
  if (!(await beginAttempt(db, build.id, { hash: own.tokenHash, expiresAt }))) return;
  const log = new BuildLogWriter(db, {
    buildId: build.id,
    clock: clock,
    position: await endOfLog(db, build.id),
  });
  const run: BuildRun = { attempt, deps, build, own, log };
  try {
    await log.add({ type: "phase", message: "build-scheduled" });
    const digest = await follow(run, await orderOf(run, secret));
    await end(run, { phase: "complete", error: null, manifest_digest: digest });
  } catch (error) {
    await fail(run, error);
  }
}

/** One attempt at a build. */
interface BuildRun {
  readonly attempt: JobAttempt<{ readonly buildId: string }>;
  readonly deps: RunBuildDeps;
  readonly build: BuildRow;
  readonly own: { readonly id: string; readonly tokenHash: string };
  readonly log: BuildLogWriter;
}

async function orderOf({ attempt, deps, build }: BuildRun, secret: string): Promise<BuildOrder> {
  const { settings, secrets, store } = deps;
  const { scheme, host } = settings;
  const push = { username: buildTokenName, password: secret };
  const robot = build.pull_robot_id === null ? undefined : await findRobotToken(store.db, build.pull_robot_id);
  const token = robot && secrets.open(robot.token_sealed);
  return {
    archive: await openSource(deps, storedSource(build), attempt.signal),
    dockerfilePath: build.dockerfile_path,
    context: build.context,
    arguments: JSON.parse(build.arguments) as Record<string, string>,
    createdAt: build.created_at,
    registry: { scheme, host },
    repository: `${build.namespace}/${build.repository_name}`,
    tags: JSON.parse(build.tags) as string[],
    push,
    pull: robot && token !== undefined ? { username: robot.username, password: token } : push,
  };
}

/** Runs the builder and records its progress. @returns the digest of the image */
async function follow(run: BuildRun, order: BuildOrder): Promise<string> {
  const { attempt, deps, log } = run;
  let digest: string | undefined;
  for await (const progress of deps.imageBuilder.build(order, { signal: attempt.signal })) {
    if (progress.kind === "phase") await enter(run, progress.phase);
    if (progress.kind === "output") await log.add(...progress.lines.map((message) => ({ message })));
    if (progress.kind === "pushed") digest = progress.digest;
  }
  if (digest === undefined) throw new Error("the builder ended without an image");
  return digest;
}

async function enter(run: BuildRun, phase: Extract<BuildProgress, { kind: "phase" }>["phase"]): Promise<void> {
  const { deps, build, own, log } = run;
  await deps.store.transaction(async (db) => {
    if (!(await changeBuild(db, own, { phase }))) throw new BuildTaken();
    if (phase === "building")
      await emitEvent(eventDeps(run, db), repositoryOf(build), { event: "build_start", members: buildEvent(build) });
  });
  await log.add({ type: "phase", message: phase });
}

/** The build was cancelled, or another attempt has it: this attempt must not change it any more. */
class BuildTaken extends Error {}

type BuildEnd =
  | { readonly phase: "complete"; readonly error: null; readonly manifest_digest: string }
  | { readonly phase: "error"; readonly error: string };

async function end(run: BuildRun, change: BuildEnd): Promise<void> {
  const { deps, build, own, log, attempt } = run;
  const outcome: Record<string, Json> =
    change.phase === "complete" ? { manifest_digests: [change.manifest_digest] } : { error_message: change.error };
  const event = change.phase === "complete" ? "build_success" : "build_failure";
  await log.add({ type: "phase", message: change.phase });
  await deps.store.transaction(async (db) => {
    if (!(await changeBuild(db, own, { ...change, token_hash: null }))) throw new BuildTaken();
    await emitEvent(eventDeps(run, db), repositoryOf(build), {
      event,
      members: { ...buildEvent(build), ...outcome },
    });
    await attempt.finishIn(db);
  });
}

async function fail(run: BuildRun, thrown: unknown): Promise<void> {
  const { attempt, deps, own, log } = run;
  if (thrown instanceof BuildTaken) return noteCancelled(run);
  const isLate = attempt.signal.reason instanceof DeadlinePassed;
  const error = isLate ? new BuildError(`The build did not end within ${buildSeconds / 3600} hours`) : thrown;
  if (attempt.signal.aborted && !(error instanceof BuildError)) {
    await noteCancelled(run);
    throw error; // cancelled, taken over, or the process stops
  }
  const message = readable(error instanceof Error ? error.message : String(error));
  await log.add({ type: "error", message });
  if (error instanceof BuildError || error instanceof RegistryError)
    return end(run, { phase: "error", error: message });
  await changeBuild(deps.store.db, own, { phase: "waiting", token_hash: null });
  throw error;
}

/** Logs the end of a build that was cancelled while it ran. */
async function noteCancelled({ deps, build, log }: BuildRun): Promise<void> {
  const now = await findBuild(deps.store.db, build.id);
  if (now?.phase === "cancelled") await log.add({ type: "phase", message: "cancelled" });
}

function eventDeps({ deps: { settings, clock, pageAddress } }: BuildRun, db: RegistryDb): EventDeps {
  return { db, settings, clock, pageAddress };
}

function repositoryOf({ repository_id: id, namespace, repository_name: name }: BuildRow) {
  return { id, namespace, name };
}

/**
 * Opens the source of a build as an archive stream.
 * @throws RegistryError for a forbidden host
 * @throws BuildError for a source that a retry cannot read either
 */
async function openSource(
  { outgoing, gitArchives, blobs }: Pick<Deps, "outgoing" | "gitArchives" | "blobs">,
  source: BuildSource,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (source.kind === "archive") return outgoing.download(source.url, { signal });
  if (source.kind === "upload") return readUpload(blobs, source.digest);
  await outgoing.check(new URL(source.url).hostname);
  return gitArchives.open(source, { signal });
}

async function* readUpload(blobs: BlobStore, digest: string): AsyncGenerator<Uint8Array> {
  try {
    yield* blobs.read(parseDigest(digest));
  } catch (cause) {
    if (!isLostBlob(cause)) throw cause;
    throw new BuildError("The uploaded archive has been deleted: push it again", { cause });
  }
}
