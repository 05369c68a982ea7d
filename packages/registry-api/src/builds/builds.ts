import { randomUUID } from "node:crypto";
import { cancelJob, enqueueJob, outsideJob } from "@plimsoll/store";
import { Type } from "typebox";
import { refusal } from "../access/access.ts";
import { accountOf, heldScopes } from "../access/principal.ts";
import { type AccountRow, findAccount } from "../access/queries/accounts.ts";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { findTeamRoles } from "../access/queries/memberships.ts";
import { organizationRole } from "../access/roles.ts";
import { holdsScope } from "../access/scopes.ts";
import type { OperationContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import { emitEvent } from "../events/repository-notifications.ts";
import { namespaceTenant, ofNamespace } from "../values/namespace-tenant.ts";
import { waitingFeatures } from "../waiting-features.ts";
import { type BuildRequest, buildName, planBuild } from "./build-request.ts";
import { type BuildRow, getBuild, insertBuild, markCancelled } from "./queries.ts";

/** The job that has a builder do a build. */
export const runBuildJob = outsideJob({
  kind: waitingFeatures.builds,
  payload: Type.Object({ buildId: Type.String(), ...ofNamespace }),
  key: ({ buildId }) => buildId,
  tenant: namespaceTenant,
  maxAttempts: 3,
});

/** Has an image built; a builder takes it from the queue. @throws RegistryError */
export async function requestBuild(
  context: OperationContext<"build_dockerfile">,
  repository: ImageRepository,
  request: BuildRequest,
): Promise<BuildRow> {
  const { db, principal, now, ports, log } = context;
  const plan = planBuild(request);
  const robot = request.pull_robot === undefined ? undefined : await getPullRobot(context, request.pull_robot);
  const id = randomUUID();
  const account = accountOf(principal);
  await insertBuild(db, {
    id,
    repository_id: repository.id,
    phase: "waiting",
    manual_account_id: account?.id ?? null,
    archive_url: plan.archiveUrl,
    dockerfile_path: plan.dockerfilePath,
    context: plan.context,
    tags: JSON.stringify(plan.tags),
    pull_robot_id: robot?.id ?? null,
    error: null,
    created_at: now,
  });
  await enqueueJob(db, runBuildJob.of({ buildId: id, namespaceId: repository.namespace_id }), ports.clock);
  const { namespace, name } = repository;
  const queued = {
    build_id: id,
    docker_tags: plan.tags,
    repo: name,
    namespace,
    is_manual: true,
    manual_user: account?.username ?? null,
  };
  await log("build_dockerfile", queued);
  await emitEvent(context, repository, "build_queued", queued);
  return getBuild(db, id, repository);
}

const robotOwners = { who: "those who may see the token of the robot that pulls", scope: "org:admin" } as const;

/**
 * The robot that a build pulls with. The caller must be allowed to see its token.
 * @throws RegistryError `not_found`, `insufficient_scope`
 */
async function getPullRobot({ db, principal, globalRole }: OperationContext, username: string): Promise<AccountRow> {
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
  if (robot === undefined) throw notFound();
  return robot;
}

/** Which phases can still be stopped. */
const cancellable: readonly BuildRow["phase"][] = ["waiting", "build-scheduled", "unpacking", "pulling", "building"];

/** Stops a build. @throws RegistryError `not_found`, `invalid_request` when it is too late */
export async function cancelBuild(
  context: OperationContext<"cancel_build">,
  repository: ImageRepository,
  id: string,
): Promise<void> {
  const { db, log } = context;
  const build = await getBuild(db, id, repository);
  const isCancelled = await markCancelled(db, { id, phases: cancellable });
  if (!isCancelled) throw invalidRequest("Build is currently running or has finished");
  await cancelJob(db, runBuildJob.keyOf({ buildId: id }));
  await log("cancel_build", { build_uuid: id, repo: repository.name, namespace: repository.namespace });
  await emitEvent(context, repository, "build_cancelled", {
    build_id: id,
    build_name: buildName(build.archive_url),
    docker_tags: JSON.parse(build.tags) as string[],
    trigger_id: null,
    trigger_kind: null,
    trigger_metadata: {},
  });
}
