import { listExternalLogins } from "@plimsoll/registry/accounts/external-logins/queries";
import { listAssignments } from "@plimsoll/registry/identity/oauth/queries/assignments";
import { listLength } from "@plimsoll/registry/lists/list-pages";
import { beforeNewest } from "@plimsoll/registry/lists/read-from";
import { currentInvitesOf, inviteCode } from "@plimsoll/registry/organizations/teams/invites";
import type { IdentityProvider } from "@plimsoll/registry/ports/identities";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { type Html, html } from "./html.ts";
import { loginsList } from "./outside-page.ts";
import type { Page } from "./page.ts";
import type { PageUser } from "./page-session.ts";

/** The page that a user sees after signing in, if no other was wanted: their name, invites and requests of other users. */
export async function signedInPage(
  db: RegistryDb,
  user: PageUser,
  { providers = [], now }: { readonly providers?: readonly IdentityProvider[] | undefined; readonly now: number },
): Promise<Page> {
  const { account } = user;
  const logins = providers.length === 0 ? [] : await listExternalLogins(db, account.id);
  const attached = new Set(logins.map(({ service }) => service));
  const requests = [...(await invitesOf(db, account, now)), ...(await assignmentsOf(db, account))];
  const list = requests.length === 0 ? "" : html`<h2>You are asked</h2>\n<ul>${requests}</ul>`;
  const body = html`<p>This browser is signed in as <strong>${account.username}</strong>.</p>\n${list}${loginsList(providers, attached, user)}`;
  return { title: "Signed in", user, body };
}

async function invitesOf(db: RegistryDb, account: PageUser["account"], now: number): Promise<readonly Html[]> {
  const invites = await currentInvitesOf(db, account, now);
  return invites.map(({ id, team, organization, inviter }) => {
    const address = `/confirminvite?${new URLSearchParams({ code: inviteCode(id) })}`;
    return html`<li>by ${inviter}: <a href="${address}">to join the team ${team} of ${organization}</a></li>`;
  });
}

async function assignmentsOf(db: RegistryDb, account: PageUser["account"]): Promise<readonly Html[]> {
  const assignments = await listAssignments(db, account.id, { after: beforeNewest, limit: listLength });
  return assignments.map(({ client_id, redirectUri: redirect_uri, scope, uuid: assignment_uuid, name, username }) => {
    const query = { client_id, redirect_uri, scope, response_type: "token", assignment_uuid };
    const address = `/oauth/authorize?${new URLSearchParams(query)}`;
    return html`<li>by ${username}: <a href="${address}">to let ${name} act for you</a></li>`;
  });
}
