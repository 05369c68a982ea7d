import { randomUUID } from "node:crypto";
import { cancelJob, enqueueJob } from "@plimsoll/store";
import { refusal } from "../access/access.ts";
import { type Account, accountOf, heldScopes } from "../access/principal.ts";
import { type AccountRow, findAccount, findTeamRoles, type ImageRepository } from "../access/queries.ts";
import { organizationRole } from "../access/roles.ts";
import { holdsScope } from "../access/scopes.ts";
import { findLinkedBlob } from "../content/queries/blobs.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest, notFound, RegistryError } from "../errors.ts";
import { emitEvent } from "../events/emit-event.ts";
import { checkKept, lockOwner } from "../limits/queries.ts";
import { noGitArchives, noImageBuilder } from "../ports/building.ts";
import { buildEvent } from "./build-event.ts";
import { type BuildRequest, buildStaleSeconds, planBuild } from "./build-request.ts";
import { type BuildSource, sourceColumns } from "./build-source.ts";
import { runBuildJob } from "./jobs.ts";
import { type BuildRow, cancellablePhases, countUnfinished, getBuild, insertBuild, markCancelled } from "./queries.ts";

/** How many builds of a namespace may wait or run at once. */
const maxUnfinished = 100;

/**
 * Requests a build, which a job runs.
 * @throws RegistryError `invalid_request`, `not_found`, `insufficient_scope`; `unavailable` if there is no image builder;
 * `too_many_requests` when too many builds of the namespace wait
 */
export async function requestBuild(
  context: CallContext<"build_dockerfile">,
  repository: ImageRepository,
  request: BuildRequest,
): Promise<BuildRow> {
  if (context.imageBuilder === noImageBuilder) throw new RegistryError("unavailable", noBuilder);
  planBuild(request); // refuses a malformed request before the robot is looked up
  const robot = request.pull_robot === undefined ? undefined : await getPullRobot(context, request.pull_robot);
  const account = accountOf(context.principal);
  return queueBuild(context, repository, { request, account, robot });
}

/** What queueing a build takes of a call. */
export type QueueingCall = Pick<
  CallContext<"build_dockerfile">,
  "db" | "now" | "clock" | "gitArchives" | "imageBuilder" | "settings" | "pageAddress" | "log"
>;

/** A build to queue, and the account or trigger that requests it. */
export interface BuildToQueue {
  readonly request: BuildRequest;
  readonly account?: Account | undefined;
  readonly robot?: AccountRow | undefined;
  readonly triggerId?: string;
}

/** Queues a build for a caller whose permission was checked. Must run in a transaction. @throws RegistryError as {@link requestBuild} */
export async function queueBuild(
  call: QueueingCall,
  repository: ImageRepository,
  { request, account, robot, triggerId }: BuildToQueue,
): Promise<BuildRow> {
  const { db, now, imageBuilder, clock, log } = call;
  if (imageBuilder === noImageBuilder) throw new RegistryError("unavailable", noBuilder);
  const plan = planBuild(request);
  await checkSource(call, repository, plan.source);
  const id = randomUUID();
  await insertBuild(db, {
    id,
    repository_id: repository.id,
    phase: "waiting",
    manual_account_id: account?.id ?? null,
    ...sourceColumns(plan.source),
    dockerfile_path: plan.dockerfilePath,
    context: plan.context,
    tags: JSON.stringify(plan.tags),
    pull_robot_id: robot?.id ?? null,
    error: null,
    created_at: now,
    arguments: JSON.stringify(plan.arguments),
    token_hash: null,
    token_expires_at: null,
    manifest_digest: null,
    trigger_id: triggerId ?? null,
  });
  await checkCounts(call, repository);
  await enqueueJob(db, runBuildJob.of({ buildId: id, namespaceId: repository.namespace_id }), clock);
  const { namespace, name } = repository;
  const queued = {
    build_id: id,
    docker_tags: plan.tags,
    repo: name,
    namespace,
    is_manual: triggerId === undefined,
    manual_user: account?.username ?? null,
    trigger_id: triggerId,
  };
  await log("build_dockerfile", queued);
  await emitEvent(call, repository, { event: "build_queued", members: queued });
  return getBuild(db, id, repository);
}

/** Counts the builds with the new one, under the locks of their owners: requests and deliveries at the same moment count each other. */
async function checkCounts({ db, now, settings }: QueueingCall, { id, namespace_id }: ImageRepository) {
  await lockOwner(db, "namespace", namespace_id);
  if ((await countUnfinished(db, namespace_id, now - buildStaleSeconds * 1000)) > maxUnfinished)
    throw new RegistryError("too_many_requests", "Maximum queued build rate exceeded.", { retryAfterSeconds: 60 });
  await checkKept(db, { name: "builds", ownerId: id, mosts: settings.keptLimits });
}

/** @throws RegistryError `invalid_request` for a missing upload; `unavailable` if git repositories cannot be read */
async function checkSource({ db, gitArchives }: QueueingCall, { id }: ImageRepository, source: BuildSource) {
  if (source.kind === "git" && gitArchives === noGitArchives) throw new RegistryError("unavailable", noGit);
  if (source.kind !== "upload" || (await findLinkedBlob(db, id, source.digest)) !== undefined) return;
  throw invalidRequest(`file_id: the repository has no blob ${source.digest}: push it first`);
}

const rights =
  "and the right to make PID and mount namespaces (root, or a container with CAP_SYS_ADMIN). Install them, and restart the server";
const noGit = `This server cannot build from git repositories: it needs the programs git, setpriv and unshare (Debian: apt install git util-linux), ${rights}`;
const noBuilder = `This server cannot build images: it needs the programs buildah, setpriv, unshare, prlimit, choom, mount, find and du (Debian: apt install buildah util-linux mount findutils coreutils), ${rights}`;

const robotOwners = { who: "users who may see the token of the pull robot", scope: "org:admin" } as const;

/**
 * The robot that a build pulls with. The caller must be allowed to see its token.
 * @throws RegistryError `not_found`, `insufficient_scope`
 */
async function getPullRobot({ db, principal, globalRole }: CallContext, username: string): Promise<AccountRow> {
  const [namespace = ""] = username.split("+");
  const owner = await findAccount(db, namespace, "user", "organization");
  const caller = accountOf(principal);
  const held = heldScopes(principal);
  const roles = owner && caller ? await findTeamRoles(db, owner.id, caller.id) : [];
  const ownsIt = owner !== undefined && owner.id === caller?.id && holdsScope(held, "user:admin");
  if (!ownsIt && !globalRole.hasFullAccess && organizationRole(roles, held) !== "admin") {
    throw refusal(principal, robotOwners);
  }
  const robot = await findAccount(db, username, "robot");
  if (robot === undefined) throw notFound(`There is no robot ${username}: make it first, or name another`);
  return robot;
}

/** Stops a build. @throws RegistryError `not_found`, `invalid_request` when it is too late */
export async function cancelBuild(
  context: CallContext<"cancel_build">,
  repository: ImageRepository,
  id: string,
): Promise<void> {
  const { db, log } = context;
  const build = await getBuild(db, id, repository);
  const isCancelled = await markCancelled(db, { id, phases: cancellablePhases });
  if (!isCancelled) throw invalidRequest("Build is currently running or has finished");
  await cancelJob(db, runBuildJob.keyOf({ buildId: id }));
  await log("cancel_build", { build_uuid: id, repo: repository.name, namespace: repository.namespace });
  await emitEvent(context, repository, { event: "build_cancelled", members: buildEvent(build) });
}
