import { ifWritable } from "@plimsoll/store";
import { anonymous, type Principal } from "../../access/principal.ts";
import { findAccount, findUserByLogin } from "../../access/queries.ts";
import { findLinkedAccount } from "../../accounts/external-logins/queries.ts";
import type { RegistrySettings } from "../../settings.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { isRobotName } from "./registry-credentials.ts";

/** The way in which a client signs in, and its address. */
export interface SignInPlace {
  /** `session`: in a browser; `v2auth`: at the token service, as `docker login` does. */
  readonly type: "session" | "v2auth";
  readonly ip: string;
  readonly userAgent: string;
  readonly now: number;
}

/** Writes a sign-in to the usage log. Does nothing for OAuth tokens and repository tokens, which are used without signing in. */
export async function logSignIn(
  { db, settings }: { readonly db: RegistryDb; readonly settings: Pick<RegistrySettings, "logSignIns"> },
  principal: Principal,
  { type, ip, userAgent: useragent, now: at }: SignInPlace,
): Promise<void> {
  const credential = credentialOf(principal);
  if (!settings.logSignIns || credential === undefined) return;
  const { namespaceId, ...named } = credential;
  const metadata = { type, useragent, ...named };
  await ifWritable(() => writeUsageLog(db, { kind: "login_success", metadata, namespaceId, principal, ip, at }));
}

function credentialOf(principal: Principal) {
  if (principal.kind === "robot") {
    return { kind: "robot", robot: principal.account.username, namespaceId: principal.ownerId };
  }
  if (principal.kind !== "user" || principal.via.kind === "oauth") return undefined;
  const namespaceId = principal.account.id;
  if (principal.via.kind !== "app-token") return { kind: "user", namespaceId };
  return { kind: "app_specific_token", app_specific_token_title: principal.via.title, namespaceId };
}

/**
 * Writes refused credentials to the usage log of the namespace that they name. Callers do not log attempts during a wait, since the
 * failure before them is in the log. Must not run in a transaction that the refusal rolls back.
 */
export async function logFailedSignIn(
  { db, settings }: { readonly db: RegistryDb; readonly settings: Pick<RegistrySettings, "logFailedSignIns"> },
  { username, message }: { readonly username: string; readonly message: string },
  { type, ip, userAgent: useragent, now: at }: SignInPlace,
): Promise<void> {
  if (!settings.logFailedSignIns) return;
  const kind = kindOf(username);
  const name = username.slice(0, 255);
  const named = kind === "robot" ? { robot: name } : kind === "user" ? { username: name } : {};
  const namespace = await findNamespace(db, username);
  const entry = {
    kind: "login_failure",
    metadata: { type, kind, useragent, ...named, message },
    namespaceId: namespace?.id,
    principal: anonymous,
    ip,
    at,
  } as const;
  await ifWritable(() => writeUsageLog(db, entry));
}

/** A sign-in with an identity provider that was refused. */
export interface FailedVisit {
  /** The provider. */
  readonly service: string;
  /** The provider's user, if it has identified one. */
  readonly subject?: string | undefined;
  readonly message: string;
}

/** Writes a refused sign-in with an identity provider to the usage log, of the user's namespace if the user has an account. */
export async function logFailedVisit(
  { db, settings }: { readonly db: RegistryDb; readonly settings: Pick<RegistrySettings, "logFailedSignIns"> },
  { service, subject, message }: FailedVisit,
  { type, ip, userAgent: useragent, now: at }: SignInPlace,
): Promise<void> {
  if (!settings.logFailedSignIns) return;
  const account = subject === undefined ? undefined : await findLinkedAccount(db, service, subject);
  const known = account && { namespaceId: account.id };
  const named = account && { username: account.username };
  const metadata = { type, kind: "user", useragent, service, ...named, message };
  await ifWritable(() =>
    writeUsageLog(db, { kind: "login_failure", metadata, ...known, principal: anonymous, ip, at }),
  );
}

/** The kind of credential for a user name. */
function kindOf(username: string): "user" | "robot" | "app_specific_token" | "oauth" | "token" {
  if (username === "$app") return "app_specific_token";
  if (username === "$oauthtoken") return "oauth";
  if (username === "$token") return "token";
  return isRobotName(username) ? "robot" : "user";
}

function findNamespace(db: RegistryDb, username: string) {
  const [owner = ""] = username.split("+");
  return isRobotName(username) ? findAccount(db, owner) : findUserByLogin(db, username);
}
