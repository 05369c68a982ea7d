import type { ImageRepository } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import type { Visibility } from "../store/tables/content.ts";
import { setRepositoryState, updateRepository } from "./queries/repositories.ts";

type Context<Kind extends "set_repo_description" | "change_repo_visibility" | "change_repo_state"> = Pick<
  CallContext<Kind>,
  "db" | "log"
>;

/** Describes a repository. */
export async function describeRepository(
  { db, log }: Context<"set_repo_description">,
  { id, name: repo, namespace }: ImageRepository,
  description: string,
): Promise<void> {
  await updateRepository(db, id, { description });
  await log("set_repo_description", { repo, namespace, description });
}

/** Makes a repository public or private. */
export async function changeVisibility(
  { db, log }: Context<"change_repo_visibility">,
  { id, name: repo, namespace }: ImageRepository,
  visibility: Visibility,
): Promise<void> {
  await updateRepository(db, id, { visibility });
  await log("change_repo_visibility", { repo, namespace, visibility });
}

/** Sets who may push to a repository: accounts with write access, no account, or the robot of its mirror. */
export async function changeState(
  { db, log }: Context<"change_repo_state">,
  { id, name: repo, namespace }: ImageRepository,
  state: Parameters<typeof setRepositoryState>[2],
): Promise<void> {
  await setRepositoryState(db, id, state);
  await log("change_repo_state", { repo, namespace, state_changed: state });
}
