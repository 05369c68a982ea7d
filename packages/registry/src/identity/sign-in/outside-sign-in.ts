import type { AccountRow } from "../../access/queries.ts";
import type { NewSession } from "../../access/session.ts";
import { noteDeparture, notePresence } from "../../accounts/external-logins/departures.ts";
import { isOnlyWayIn, storeRole } from "../../accounts/external-logins/detach-login.ts";
import {
  createOutsideAccount,
  nameProblem,
  noAccount,
  suggestedName,
} from "../../accounts/external-logins/outside-account.ts";
import { endProviderSessions, findLinkedAccount, listExternalLogins } from "../../accounts/external-logins/queries.ts";
import type { Sealer } from "../../crypto/secrets.ts";
import { RegistryError } from "../../errors.ts";
import { syncGroups } from "../../organizations/teams/sync.ts";
import type { IdentityProvider, OutsideUser } from "../../ports/identities.ts";
import { noteSignInFrom } from "./known-networks.ts";
import type { OutsideSession } from "./sessions.ts";
import { type SignInCall, signIn } from "./sign-in.ts";

/** What a sign-in with a provider takes of a call. */
export interface OutsideSignInCall extends SignInCall {
  readonly secrets: Sealer;
}

/** A user whom a provider has identified. */
export interface IdentifiedUser {
  readonly provider: IdentityProvider;
  readonly user: OutsideUser;
}

/** The result of a sign-in with a provider: a session, or the user must choose a name. */
export type OutsideSignIn =
  | { readonly kind: "signed-in"; readonly session: NewSession }
  | {
      readonly kind: "needs-name";
      /** The suggested name. */
      readonly suggested: string;
      /** Why the suggested name cannot be used. */
      readonly problem: string;
    };

/**
 * Signs in a user whom a provider has identified: to the account that is linked to the login, else to a new account with the name from
 * the provider. If that name cannot be used, the user must choose one.
 * @throws RegistryError `insufficient_scope`
 */
export async function signInFromOutside(call: OutsideSignInCall, identified: IdentifiedUser): Promise<OutsideSignIn> {
  const { db } = call;
  const { provider, user } = identified;
  const account = await findLinkedAccount(db, provider.service, user.subject);
  if (account !== undefined) return { kind: "signed-in", session: await begin(call, identified, account) };
  if (!provider.createsAccounts) throw noAccount(provider.title);
  if (call.settings.readOnly)
    throw new RegistryError("read_only", "You have no account yet, and the registry is read-only");
  const username = suggestedName(user);
  const problem = await nameProblem(call, username);
  if (problem !== undefined) return { kind: "needs-name", suggested: username, problem };
  return { kind: "signed-in", session: await signUpFromOutside(call, identified, username) };
}

/** Creates the account of a user whom a provider has identified, and signs them in. @throws RegistryError `invalid_request`, `insufficient_scope` */
export async function signUpFromOutside(
  call: OutsideSignInCall,
  identified: IdentifiedUser,
  username: string,
): Promise<NewSession> {
  const { provider, user } = identified;
  const linked = await findLinkedAccount(call.db, provider.service, user.subject); // created in the meantime, in another tab
  return begin(call, identified, linked ?? (await createOutsideAccount(call, provider, { user, username })));
}

/** Begins a session. While the registry or its database is read-only, the provider's groups are not applied until the next sign-in. */
async function begin(call: OutsideSignInCall, identified: IdentifiedUser, account: AccountRow): Promise<NewSession> {
  const isWritable = call.readOnly === undefined && !call.settings.readOnly;
  const known = isWritable ? await noteReturn(call, identified, account) : account;
  if (known.enabled === 0) throw new RegistryError("insufficient_scope", "This user is disabled");
  if (isWritable) await syncWithProvider(call, identified, account);
  if (isWritable) await noteSignInFrom(call.db, account, { address: call.caller.ip, now: call.now });
  return signIn(call, account, sessionOf(call, identified));
}

function noteReturn(
  { db, now }: Pick<SignInCall, "db" | "now">,
  { provider: { service }, user }: IdentifiedUser,
  account: AccountRow,
): Promise<AccountRow> {
  return notePresence(db, account, { service, user, now });
}

/**
 * Takes from a user what their provider gave, because its groups no longer let them in: the role, the memberships of synchronized teams, and
 * the sessions that began with it. An account with no other way in is disabled, with its tokens and robots, until the provider lets
 * the user in again.
 */
export async function withdrawFromOutside(
  context: Pick<SignInCall, "db" | "now" | "settings">,
  identified: IdentifiedUser,
): Promise<void> {
  const { db, now } = context;
  const { provider, user } = identified;
  const { service } = provider;
  const account = await findLinkedAccount(db, service, user.subject);
  if (account === undefined) return;
  await syncWithProvider(context, identified, account);
  await endProviderSessions(db, { service, subject: user.subject });
  if (isOnlyWayIn(account, await listExternalLogins(db, account.id)))
    await noteDeparture(db, { accountId: account.id, service, now });
}

/** Longer ID tokens are not stored: the provider then has to ask the user at sign-out. */
const maxTokenLength = 16_384;

function sessionOf({ secrets }: OutsideSignInCall, { provider: { service }, user }: IdentifiedUser): OutsideSession {
  const { subject, session } = user;
  if (session === undefined) return { service, subject };
  const { sid, idToken } = session;
  const sealedToken = idToken.length <= maxTokenLength ? secrets.seal(idToken) : undefined;
  return { service, subject, sid, sealedToken };
}

/** Applies a provider's groups to a user: their role in the whole registry, and their teams. */
export async function syncWithProvider(
  { db, now, settings }: Pick<SignInCall, "db" | "now" | "settings">,
  { provider: { service, providesGroups }, user: { role, groups } }: IdentifiedUser,
  account: AccountRow,
): Promise<void> {
  await storeRole(db, account, { service, role });
  if (!providesGroups || groups === undefined || !settings.features.teamSync) return;
  await syncGroups(db, { account, service, groups, now });
}
