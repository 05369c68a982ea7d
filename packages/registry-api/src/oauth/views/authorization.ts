import { Type } from "typebox";
import type { AccountRow } from "../../access/queries/accounts.ts";
import type { OAuthApplication } from "../../access/queries/applications.ts";
import { parseScopes, type Scope, scopes } from "../../access/scopes.ts";
import { Avatar, avatarOf } from "../../accounts/views/avatar.ts";
import { applicationAvatar } from "./application.ts";

/** What a scope means, for the user who is to grant it. */
const ScopeView = Type.Object({
  scope: Type.String(),
  title: Type.String(),
  description: Type.String(),
  icon: Type.String(),
  dangerous: Type.Boolean(),
});

/** What an application may do for a user. */
export const Authorization = Type.Object({
  application: Type.Object({
    name: Type.String(),
    clientId: Type.String(),
    description: Type.String(),
    url: Type.String(),
    avatar: Avatar,
    organization: Type.Object({ name: Type.String(), avatar: Avatar }),
  }),
  scopes: Type.Array(ScopeView),
  uuid: Type.String(),
});

/** An application, the name and e-mail address of its organization, and the scopes it has of a user or asks for. */
export type AuthorizedApplication = OAuthApplication &
  Pick<AccountRow, "username" | "email"> & { readonly scope: string; readonly uuid: string };

/** Shows what an application may do for a user, or asks to. */
export function authorizationView(row: AuthorizedApplication) {
  const { name, client_id: clientId, description, application_uri: url, username, email, scope, uuid } = row;
  return {
    application: {
      name,
      clientId,
      description,
      url,
      avatar: applicationAvatar(row, { email }),
      organization: { name: username, avatar: avatarOf("org", username, email) },
    },
    scopes: [...(parseScopes(scope) ?? [])].map(scopeView),
    uuid,
  };
}

/** Shows a scope. */
export function scopeView(scope: Scope) {
  return { scope, ...scopes[scope] };
}
