import type { Principal } from "@plimsoll/registry/access/principal";
import { type AccountRow, findAccountById } from "@plimsoll/registry/access/queries";
import { findBuildPrincipal, isBuildToken } from "@plimsoll/registry/builds/build-tokens";
import { findAccountAtTarget, findRobotAtTarget, type PushPlace } from "@plimsoll/registry/distribution/queries";
import { findOAuthPrincipalById } from "@plimsoll/registry/identity/oauth/tokens";
import {
  findAppTokenPrincipal,
  findRepositoryTokenPrincipal,
  findRobotPrincipal,
  robotOf,
} from "@plimsoll/registry/identity/sign-in/token-holders";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import type { FoundPlace } from "./auth-port.ts";

/** The holder of a registry token, as the token identifies them. */
export interface TokenEntity {
  readonly entity_kind: "anonymous" | "user" | "robot" | "appspecifictoken" | "oauthtoken" | "token";
  /** The id of the credentials; absent for an anonymous request. */
  readonly entity_reference?: string;
  /** The credential version of the account when the token was issued. */
  readonly credential_version?: number;
}

/** Identifies a caller in a registry token. */
export function entityOf(principal: Principal): TokenEntity {
  switch (principal.kind) {
    case "anonymous":
      return { entity_kind: "anonymous" };
    case "repository-token":
      return { entity_kind: "token", entity_reference: principal.id };
    case "robot":
      return accountEntity("robot", principal.account.id, principal.account.credential_version);
    case "user":
      return userEntity(principal);
  }
}

function userEntity({ account, via }: Extract<Principal, { kind: "user" }>): TokenEntity {
  if (via.kind === "oauth") return accountEntity("oauthtoken", via.token.id, account.credential_version);
  if (via.kind === "app-token") return accountEntity("appspecifictoken", via.id, account.credential_version);
  return accountEntity("user", account.id, account.credential_version);
}

function accountEntity(entity_kind: TokenEntity["entity_kind"], entity_reference: string, credential_version: number) {
  return { entity_kind, entity_reference, credential_version };
}

/**
 * The current principal of a registry token. Undefined if the credentials of the token were revoked, or the account has ended all of its
 * sessions and tokens since.
 */
export async function findEntity(db: RegistryDb, entity: TokenEntity, now: number): Promise<Principal | undefined> {
  return unlessRevoked(entity, await findHolder(db, entity, now));
}

/** A caller, and the repository of the request if it was looked up together with the caller. */
export interface FoundCaller {
  readonly principal: Principal | undefined;
  readonly place?: FoundPlace;
}

/** {@link findEntity} for a request with a repository: for users and robots, one statement finds both. */
export async function findEntityAt(
  db: RegistryDb,
  entity: TokenEntity,
  { place, now }: { readonly place: PushPlace | undefined; readonly now: number },
): Promise<FoundCaller> {
  const id = entity.entity_reference ?? "";
  if (place !== undefined && entity.entity_kind === "user") {
    const found = await findAccountAtTarget(db, id, place);
    if (found !== undefined) return { principal: unlessRevoked(entity, userOf(found.holder)), place: found };
  }
  if (place !== undefined && entity.entity_kind === "robot") {
    const found = await findRobotAtTarget(db, id, place);
    if (found !== undefined)
      return { principal: unlessRevoked(entity, await robotOf(db, found.holder, now)), place: found };
  }
  return { principal: await findEntity(db, entity, now) };
}

/** The holder, unless the account has ended all of its sessions and tokens since the token was issued. */
function unlessRevoked(entity: TokenEntity, principal: Principal | undefined): Principal | undefined {
  if (principal?.kind !== "user" && principal?.kind !== "robot") return principal;
  return principal.account.credential_version === entity.credential_version ? principal : undefined;
}

async function findHolder(db: RegistryDb, entity: TokenEntity, now: number): Promise<Principal | undefined> {
  const id = entity.entity_reference ?? "";
  switch (entity.entity_kind) {
    case "anonymous":
      return { kind: "anonymous" };
    case "token":
      return isBuildToken(id) ? findBuildPrincipal(db, { id }, now) : findRepositoryTokenPrincipal(db, { id });
    case "robot":
      return findRobotPrincipal(db, { id }, now);
    case "appspecifictoken":
      return findAppTokenPrincipal(db, { id }, now);
    case "oauthtoken":
      return findOAuthPrincipalById(db, id, now);
    case "user":
      return userOf(await findAccountById(db, id));
  }
}

function userOf(account: AccountRow | undefined): Principal | undefined {
  if (account === undefined || account.kind !== "user" || account.enabled === 0) return undefined;
  return { kind: "user", account, via: { kind: "password" } };
}
