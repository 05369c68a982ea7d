import type { RepositoryTokenPrincipal, RobotPrincipal, UserPrincipal } from "../../access/principal.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { isAccountName } from "../../values/names.ts";
import { isNewAccess } from "../oauth/tokens.ts";
import {
  findAppTokenRow,
  findRepositoryTokenRow,
  findRobotRow,
  type RobotRow,
  storeAppTokenAccess,
  storeRobotAccess,
  type TokenKey,
} from "./queries/token-holders.ts";

/** The robot with a name and its token, or with an id. Undefined if the robot or its namespace is disabled. */
export async function findRobotPrincipal(
  db: RegistryDb,
  key: { readonly username: string; readonly secret: string } | { readonly id: string },
  now: number,
): Promise<RobotPrincipal | undefined> {
  if ("username" in key && !isAccountName(key.username)) return undefined;
  return robotOf(db, await findRobotRow(db, key), now);
}

/** The principal of a robot's row. Stores that the robot was used now. */
export async function robotOf(
  db: RegistryDb,
  row: RobotRow | undefined,
  now: number,
): Promise<RobotPrincipal | undefined> {
  if (row === undefined) return undefined;
  const { owner_id: ownerId, ...account } = row;
  if (isNewAccess(account.last_accessed_at, now)) {
    await storeRobotAccess(db, account.id, now);
  }
  return { kind: "robot", account, ownerId };
}

/** The user of an app token; undefined if the token has expired or the user is disabled. */
export async function findAppTokenPrincipal(
  db: RegistryDb,
  key: TokenKey,
  now: number,
): Promise<UserPrincipal | undefined> {
  const row = await findAppTokenRow(db, key, now);
  if (row === undefined) return undefined;
  const { token_id: id, title, token_accessed_at, ...account } = row;
  if (isNewAccess(token_accessed_at, now)) {
    await storeAppTokenAccess(db, id, now);
  }
  return { kind: "user", account, via: { kind: "app-token", id, title } };
}

/** The principal of a repository token; undefined if the repository is deleted or its namespace is disabled. */
export async function findRepositoryTokenPrincipal(
  db: RegistryDb,
  key: TokenKey,
): Promise<RepositoryTokenPrincipal | undefined> {
  const row = await findRepositoryTokenRow(db, key);
  if (row === undefined) return undefined;
  const { id, friendly_name: friendlyName, repository_id: repositoryId, role } = row;
  return { kind: "repository-token", id, friendlyName, repositoryId, role };
}
