import { includesRole } from "../access/roles.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest, notFound, RegistryError } from "../errors.ts";
import { setImmutability } from "./queries/immutability.ts";
import type { TagRow } from "./queries/tags.ts";
import { type ChangedTag, logPlace, type TagOf } from "./tag-of.ts";
import { findAliveTag } from "./tags.ts";

type Context = CallContext<"change_tag_immutability">;

/**
 * Makes an alive tag immutable until a request makes it mutable again.
 * @throws RegistryError `not_found`; `invalid_request` for a tag that expires
 */
export async function makeImmutable(tag: TagOf, context: Context): Promise<void> {
  const { db, now } = context;
  const alive = await findAliveTag(db, { repositoryId: tag.repository.id, name: tag.name, now });
  if (alive === undefined) throw notFound(`There is no tag ${tag.name}: push it, or restore it first`);
  if (alive.end_at !== null) {
    throw invalidRequest(`The tag ${tag.name} expires: remove its expiration before you make it immutable`);
  }
  await change(tag, { alive, by: "request" }, context);
}

/**
 * Makes a tag mutable again. Only admins of the repository may do that, and not for tags that a policy protects.
 * @throws RegistryError `insufficient_scope`, `tag_immutable`
 */
export async function makeMutable(tag: ChangedTag, alive: TagRow, context: Context): Promise<void> {
  if (alive.immutable_by === null) return;
  if (tag.role !== undefined && !includesRole(tag.role, "admin")) {
    throw new RegistryError("insufficient_scope", "Only admins of the repository can make an immutable tag mutable");
  }
  if (alive.immutable_by === "policy") {
    const message = `A policy of the repository or its organization protects the tag '${tag.name}': change or remove the policy`;
    throw new RegistryError("tag_immutable", message);
  }
  await change(tag, { alive, by: null }, context);
}

interface Immutability {
  readonly alive: TagRow;
  readonly by: TagRow["immutable_by"];
}

async function change(tag: TagOf, { alive, by }: Immutability, context: Context): Promise<void> {
  const { db, log } = context;
  if (alive.immutable_by === by) return;
  await setImmutability(db, [alive.id], by);
  const [immutable, previous_immutable] = [by !== null, alive.immutable_by !== null];
  await log("change_tag_immutability", { ...logPlace(tag, context), immutable, previous_immutable });
}
