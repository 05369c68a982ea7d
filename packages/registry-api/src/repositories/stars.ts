import { seesEveryRepository } from "@plimsoll/registry/access/global-role";
import { roleOnRepository } from "@plimsoll/registry/access/on-repository";
import { type AccountRow, findImageRepository } from "@plimsoll/registry/access/queries";
import type { CallContext } from "@plimsoll/registry/context";
import { notFound } from "@plimsoll/registry/errors";
import { deleteStar, insertStar } from "@plimsoll/registry/repositories/queries/repositories";
import { listRepositories } from "./list-repositories.ts";

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

/** One page of the repositories that the caller has starred and still sees. */
export async function listStarredRepositories(nextPage: string | undefined, context: CallContext) {
  const request = { starred: true, next_page: nextPage };
  const { repositories, ...next } = await listRepositories(request, context);
  return {
    repositories: repositories.map(({ namespace, name, description, is_public }) => ({
      namespace,
      name,
      description,
      is_public,
    })),
    ...next,
  };
}
