import { refusal } from "../access/access.ts";
import { type AccountRow, findAccount } from "../access/queries/accounts.ts";
import type { OperationContext } from "../context.ts";
import type { Visibility } from "../store/tables/content.ts";
import { createRepository, mayCreateIn } from "./new-repository.ts";

/** A repository that a user asks for. */
export interface RepositoryRequest {
  readonly repository: string;
  readonly visibility: Visibility;
  readonly description: string;
  /** The user's own where absent. */
  readonly namespace?: string;
}

const creators = {
  who: "the namespace's user, or creators and admins of the organization",
  scope: "repo:create",
} as const;

/** Makes the repository that a user asks for, where the user may. @throws RegistryError `insufficient_scope`, `invalid_request` */
export async function createRepositoryFor(creator: AccountRow, request: RepositoryRequest, context: OperationContext) {
  const { db, principal, now, log } = context;
  const { repository: name, visibility, description, namespace: wanted = creator.username } = request;
  const namespace = await findAccount(db, wanted, "user", "organization");
  if (namespace?.enabled !== 1 || !(await mayCreateIn(db, context, namespace))) throw refusal(principal, creators);
  const repository = await createRepository(db, { namespace, name, visibility, description, creator, now });
  const place = { namespaceId: namespace.id, repositoryId: repository.id };
  await log("create_repo", { repo: name, namespace: namespace.username }, place);
  return { namespace: namespace.username, name, kind: repository.kind };
}
