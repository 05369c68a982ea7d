import type { RepositoryTokenPrincipal, RobotPrincipal, UserPrincipal } from "../access/principal.ts";
import { isNewAccess } from "../oauth/tokens.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isAccountName } from "../values/names.ts";
import {
  findAppTokenRow,
  findRepositoryTokenRow,
  findRobotRow,
  type RobotRow,
  rememberAppTokenAccess,
  rememberRobotAccess,
  type TokenKey,
} from "./queries/token-holders.ts";

/** The robot of a name and its token, or of an id. Undefined when it, or the namespace it belongs to, is disabled. */
export async function findRobotPrincipal(
  db: RegistryDb,
  key: { readonly username: string; readonly secret: string } | { readonly id: string },
  now: number,
): Promise<RobotPrincipal | undefined> {
  if ("username" in key && !isAccountName(key.username)) return undefined;
  return robotOf(db, await findRobotRow(db, key), now);
}

/** The robot of a row, which is used now. */
export async function robotOf(
  db: RegistryDb,
  row: RobotRow | undefined,
  now: number,
): Promise<RobotPrincipal | undefined> {
  if (row === undefined) return undefined;
  const { owner_id: ownerId, ...account } = row;
  if (isNewAccess(account.last_accessed_at, now)) {
    await rememberRobotAccess(db, account.id, now);
  }
  return { kind: "robot", account, ownerId };
}

/** The user of an app token; undefined when it is past its time or the user disabled. */
export async function findAppTokenPrincipal(
  db: RegistryDb,
  key: TokenKey,
  now: number,
): Promise<UserPrincipal | undefined> {
  const row = await findAppTokenRow(db, key, now);
  if (row === undefined) return undefined;
  const { token_id: id, title, token_accessed_at, ...account } = row;
  if (isNewAccess(token_accessed_at, now)) {
    await rememberAppTokenAccess(db, id, now);
  }
  return { kind: "user", account, via: { kind: "app-token", id, title } };
}

/** The principal of a repository's token; undefined when the repository is gone or its namespace disabled. */
export async function findRepositoryTokenPrincipal(
  db: RegistryDb,
  key: TokenKey,
): Promise<RepositoryTokenPrincipal | undefined> {
  const row = await findRepositoryTokenRow(db, key);
  if (row === undefined) return undefined;
  const { id, friendly_name: friendlyName, repository_id: repositoryId, role } = row;
  return { kind: "repository-token", id, friendlyName, repositoryId, role };
}
