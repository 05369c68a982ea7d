import type { Principal } from "../access/principal.ts";
import { findAccountById } from "../access/queries/accounts.ts";
import { findBuildPrincipal, isBuildToken } from "../builds/build-tokens.ts";
import { findOAuthPrincipalById } from "../oauth/tokens.ts";
import { findAppTokenPrincipal, findRepositoryTokenPrincipal, findRobotPrincipal } from "../sign-in/token-holders.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** The holder of a registry token, as the token names them. */
export interface TokenEntity {
  readonly entity_kind: "anonymous" | "user" | "robot" | "appspecifictoken" | "oauthtoken" | "token";
  /** The id of the credentials that were shown; absent for an anonymous request. */
  readonly entity_reference?: string;
  /** The account's when the token was made. */
  readonly credential_version?: number;
}

/** A caller, as their registry token names them. */
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
 * The caller that a registry token names, as they are now. Undefined when what was shown for the token has ended, or the
 * account has ended all of its sessions and tokens since.
 */
export async function findEntity(db: RegistryDb, entity: TokenEntity, now: number): Promise<Principal | undefined> {
  const principal = await findHolder(db, entity, now);
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
    case "user": {
      const account = await findAccountById(db, id);
      if (account === undefined || account.kind !== "user" || account.enabled === 0) return undefined;
      return { kind: "user", account, via: { kind: "password" } };
    }
  }
}
