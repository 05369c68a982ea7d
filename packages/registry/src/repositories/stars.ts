import { seesEveryRepository } from "../access/global-role.ts";
import { roleOnRepository } from "../access/on-repository.ts";
import { type AccountRow, findImageRepository } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { deleteStar, insertStar } from "./queries/repositories.ts";

/** Stars a repository that the caller sees. A repeated call changes nothing. @throws RegistryError `not_found` */
export async function star(
  { id }: AccountRow,
  { namespace, repository: name }: { readonly namespace: string; readonly repository: string },
  { db, principal, globalRole, now }: CallContext,
) {
  const notVisible = notFound("There is no such repository, or you may not see it");
  const repository = await findImageRepository(db, namespace, name);
  if (repository === undefined) throw notVisible;
  const seesAll = seesEveryRepository(principal, globalRole) || repository.visibility === "public";
  if (!seesAll && (await roleOnRepository(db, principal, repository)) === undefined) throw notVisible;
  await insertStar(db, { account_id: id, repository_id: repository.id, created_at: now });
  return { namespace, repository: name };
}

/** Removes a star. @throws RegistryError `not_found` when there is no such repository with the caller's star */
export async function unstar(
  { id }: AccountRow,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { db }: CallContext,
): Promise<void> {
  const repository = await findImageRepository(db, namespace, name);
  const isDeleted = await deleteStar(db, { accountId: id, repositoryId: repository?.id ?? "" });
  if (!isDeleted) throw notFound(`You have not starred ${namespace}/${name}`);
}
