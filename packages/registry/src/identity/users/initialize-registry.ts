import type { AccountRow } from "../../access/queries.ts";
import { scopes as allScopes, type Scope } from "../../access/scopes.ts";
import { createAccount } from "../../accounts/new-account.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest } from "../../errors.ts";
import { checkEmailAddress, checkNamespaceName } from "../../values/names.ts";
import { createApplication } from "../oauth/applications.ts";
import { createOAuthToken } from "../oauth/tokens.ts";
import { claimInitialization } from "./queries.ts";
import type { NewUser } from "./users.ts";

/** The lifetime of the first token. */
const firstTokenSeconds = 9000;

/** The first user, and a token with every scope. */
export interface FirstUser {
  readonly account: AccountRow;
  readonly token?: string;
}

/**
 * Creates the first user of a registry that has none: a superuser, if the settings name none. Of several simultaneous requests, one succeeds.
 * @throws RegistryError `invalid_request`
 */
export async function initializeRegistry(
  context: CallContext<"user_create">,
  { username, email, passwordHash, wantsToken }: NewUser & { readonly wantsToken: boolean },
): Promise<FirstUser> {
  const { db, settings, now, log } = context;
  checkNamespaceName(username);
  if (email !== undefined) checkEmailAddress(email);
  await claimFirstUser(context);
  const isFirst = settings.superusers.length === 0;
  const request = { kind: "user", username, email, passwordHash, verified: true, isFirst, now } as const;
  const account = await createAccount(db, settings, request);
  await log("user_create", { username, email: email ?? null }, { namespaceId: account.id });
  if (!wantsToken) return { account };
  const application = await createApplication(context, account.id, { name: "first user" });
  const { token } = await createOAuthToken(db, {
    clientId: application.client_id,
    accountId: account.id,
    scopes: new Set(Object.keys(allScopes) as Scope[]),
    now,
    lifetimeSeconds: firstTokenSeconds,
  });
  return { account, token };
}

async function claimFirstUser({ db, now }: CallContext): Promise<void> {
  const isFirst = await claimInitialization(db, now);
  if (!isFirst) throw invalidRequest("Cannot initialize: there are users already");
}
