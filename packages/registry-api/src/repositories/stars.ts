import { roleOnRepository } from "../access/on-repository.ts";
import type { AccountRow } from "../access/queries/accounts.ts";
import { findImageRepository } from "../access/queries/image-repositories.ts";
import { seesEveryRepository } from "../access/standing.ts";
import type { OperationContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { listRepositories } from "./list-repositories.ts";

/** Stars a repository that the caller sees; harmless when it has the star already. @throws RegistryError `not_found` */
export async function star(
  { id }: AccountRow,
  { namespace, repository: name }: { readonly namespace: string; readonly repository: string },
  { db, principal, standing, now }: OperationContext,
) {
  const repository = await findImageRepository(db, namespace, name);
  if (repository === undefined) throw notFound();
  const seesAll = seesEveryRepository(principal, standing) || repository.visibility === "public";
  if (!seesAll && (await roleOnRepository(db, principal, repository)) === undefined) throw notFound();
  await db
    .insertInto("repository_star")
    .values({ account_id: id, repository_id: repository.id, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { namespace, repository: name };
}

/** Takes the star away. @throws RegistryError `not_found` when there is no such repository with the caller's star */
export async function unstar(
  { id }: AccountRow,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { db }: OperationContext,
): Promise<void> {
  const repository = await findImageRepository(db, namespace, name);
  const { numDeletedRows } = await db
    .deleteFrom("repository_star")
    .where("account_id", "=", id)
    .where("repository_id", "=", repository?.id ?? "")
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

/** One page of what the caller has starred and still sees. */
export async function listStarredRepositories(nextPage: string | undefined, context: OperationContext) {
  const request = { starred: true, ...(nextPage !== undefined && { next_page: nextPage }) };
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
