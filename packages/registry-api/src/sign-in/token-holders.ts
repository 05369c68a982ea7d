import { ifWritable } from "@plimsoll/store";
import type { RepositoryTokenPrincipal, RobotPrincipal, UserPrincipal } from "../access/principal.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { isNewAccess } from "../oauth/tokens.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isAccountName } from "../values/names.ts";

/** How a secret is found: by itself, or by the id of what a registry token says was shown. */
export type TokenKey = { readonly secret: string } | { readonly id: string };

/** The robot of a name and its token, or of an id. Undefined when it, or the namespace it belongs to, is disabled. */
export async function findRobotPrincipal(
  db: RegistryDb,
  key: { readonly username: string; readonly secret: string } | { readonly id: string },
  now: number,
): Promise<RobotPrincipal | undefined> {
  if ("username" in key && !isAccountName(key.username)) return undefined;
  const robots = db
    .selectFrom("account")
    .innerJoin("robot", "robot.account_id", "account.id")
    .innerJoin("account as owner", "owner.id", "robot.owner_id")
    .selectAll("account")
    .select("robot.owner_id")
    .where("account.enabled", "=", 1)
    .where("owner.enabled", "=", 1);
  const found =
    "id" in key
      ? robots.where("account.id", "=", key.id)
      : robots.where("account.username", "=", key.username).where("robot.token_hash", "=", hashSecret(key.secret));
  const row = await found.executeTakeFirst();
  if (row === undefined) return undefined;
  const { owner_id: ownerId, ...account } = row;
  if (isNewAccess(account.last_accessed_at, now)) {
    const update = db.updateTable("account").set({ last_accessed_at: now }).where("id", "=", account.id);
    await ifWritable(() => update.execute());
  }
  return { kind: "robot", account, ownerId };
}

/** The user of an app token; undefined when it is past its time or the user disabled. */
export async function findAppTokenPrincipal(
  db: RegistryDb,
  key: TokenKey,
  now: number,
): Promise<UserPrincipal | undefined> {
  const tokens = db
    .selectFrom("app_token")
    .innerJoin("account", "account.id", "app_token.account_id")
    .selectAll("account")
    .select(["app_token.id as token_id", "app_token.title", "app_token.last_accessed_at as token_accessed_at"])
    .where("account.enabled", "=", 1)
    .where("account.kind", "=", "user")
    .where((where) => where.or([where("app_token.expires_at", "is", null), where("app_token.expires_at", ">", now)]));
  const row = await ("id" in key
    ? tokens.where("app_token.id", "=", key.id)
    : tokens.where("app_token.token_hash", "=", hashSecret(key.secret))
  ).executeTakeFirst();
  if (row === undefined) return undefined;
  const { token_id: id, title, token_accessed_at, ...account } = row;
  if (isNewAccess(token_accessed_at, now)) {
    const update = db.updateTable("app_token").set({ last_accessed_at: now }).where("id", "=", id);
    await ifWritable(() => update.execute());
  }
  return { kind: "user", account, via: { kind: "app-token", id, title } };
}

/** Whoever has the token of a repository; undefined when the repository is gone or its namespace disabled. */
export async function findRepositoryTokenPrincipal(
  db: RegistryDb,
  key: TokenKey,
): Promise<RepositoryTokenPrincipal | undefined> {
  const tokens = db
    .selectFrom("repository_token")
    .innerJoin("image_repository", "image_repository.id", "repository_token.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["repository_token.id", "friendly_name", "repository_token.repository_id", "role"])
    .where("image_repository.state", "!=", "deleted")
    .where("account.enabled", "=", 1);
  const row = await ("id" in key
    ? tokens.where("repository_token.id", "=", key.id)
    : tokens.where("repository_token.code_hash", "=", hashSecret(key.secret))
  ).executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, friendly_name: friendlyName, repository_id: repositoryId, role } = row;
  return { kind: "repository-token", id, friendlyName, repositoryId, role };
}
