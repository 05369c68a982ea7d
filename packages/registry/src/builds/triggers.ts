import { randomUUID } from "node:crypto";
import type { ImageRepository } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest, notInList } from "../errors.ts";
import { newWebhookSecret } from "../events/event-config.ts";
import { lockOwner } from "../limits/queries.ts";
import { checkGlobs } from "../values/globs.ts";
import { type BuildRequest, planBuild } from "./build-request.ts";
import {
  type BuildTriggerRow,
  enableTrigger,
  findTrigger,
  insertTrigger,
  listTriggers,
  maxTriggers,
  removeTrigger,
} from "./queries/triggers.ts";

/** The members that all builds of a trigger share. Without tags, each build has the tags of its reference. */
export type TriggeredRequest = Pick<
  BuildRequest,
  "subdirectory" | "dockerfile_path" | "context" | "tags" | "build_args"
>;

/** A trigger to create. */
export interface NewTrigger extends TriggeredRequest {
  readonly title?: string;
  readonly git_url: string;
  readonly refs?: readonly string[];
}

type Context<Kind extends "setup_repo_trigger" | "toggle_repo_trigger" | "delete_repo_trigger"> = CallContext<Kind>;

/** Creates a trigger. @returns it with its secret, which is shown only this once @throws RegistryError `invalid_request` */
export async function createTrigger(
  context: Context<"setup_repo_trigger">,
  repository: ImageRepository,
  { title = "", git_url, refs = ["refs/heads/*", "refs/tags/*"], ...request }: NewTrigger,
): Promise<{ readonly trigger: BuildTriggerRow; readonly secret: string }> {
  const { source } = planBuild({ ...request, git_url });
  checkGlobs(refs);
  await lockOwner(context.db, "repository", repository.id);
  if ((await listTriggers(context.db, repository.id)).length >= maxTriggers)
    throw invalidRequest(`A repository has at most ${maxTriggers} triggers`);
  const secret = newWebhookSecret();
  const trigger: BuildTriggerRow = {
    id: randomUUID(),
    repository_id: repository.id,
    title,
    secret_sealed: context.secrets.seal(secret),
    git_url: source.kind === "git" ? source.url : git_url,
    refs: JSON.stringify(refs),
    request: JSON.stringify(request),
    is_enabled: 1,
    created_at: context.now,
  };
  await insertTrigger(context.db, trigger);
  await context.log("setup_repo_trigger", entryOf(repository, trigger));
  return { trigger, secret };
}

/** A trigger of a repository. @throws RegistryError `not_found` */
export async function getTrigger(
  { db }: Pick<CallContext, "db">,
  { id }: ImageRepository,
  triggerId: string,
): Promise<BuildTriggerRow> {
  const trigger = await findTrigger(db, triggerId, id);
  if (trigger === undefined) throw notInList("The repository has no build trigger with that id");
  return trigger;
}

/** Turns a trigger on or off. @throws RegistryError `not_found` */
export async function toggleTrigger(
  context: Context<"toggle_repo_trigger">,
  repository: ImageRepository,
  { id, enabled }: { readonly id: string; readonly enabled: boolean },
): Promise<BuildTriggerRow> {
  const trigger = await getTrigger(context, repository, id);
  await enableTrigger(context.db, id, { isEnabled: enabled });
  await context.log("toggle_repo_trigger", { ...entryOf(repository, trigger), enabled });
  return { ...trigger, is_enabled: enabled ? 1 : 0 };
}

/** Deletes a trigger; its builds stay. @throws RegistryError `not_found` */
export async function deleteTrigger(
  context: Context<"delete_repo_trigger">,
  repository: ImageRepository,
  id: string,
): Promise<void> {
  const trigger = await getTrigger(context, repository, id);
  await removeTrigger(context.db, id);
  await context.log("delete_repo_trigger", entryOf(repository, trigger));
}

/** The members of entries of the usage log about a trigger. */
export function entryOf(
  { namespace, name: repo }: Pick<ImageRepository, "namespace" | "name">,
  trigger: BuildTriggerRow,
) {
  return { namespace, repo, trigger_id: trigger.id, git_url: trigger.git_url };
}
