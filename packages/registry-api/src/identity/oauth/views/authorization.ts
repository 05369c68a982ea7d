import type { AccountRow } from "@plimsoll/registry/access/queries/accounts";
import type { OAuthApplication } from "@plimsoll/registry/access/queries/applications";
import { parseScopes, type Scope, scopes } from "@plimsoll/registry/access/scopes";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { Type } from "typebox";
import { applicationAvatar } from "./application.ts";

/** A scope as it is explained to a user. */
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

/** An application with the name and e-mail address of its organization, and the scopes that it has or requests. */
export type AuthorizedApplication = OAuthApplication &
  Pick<AccountRow, "username" | "email"> & { readonly scope: string; readonly uuid: string };

/** What an application may do for a user, or requests to do. */
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

/** A scope with its title and description. */
export function scopeView(scope: Scope) {
  return { scope, ...scopes[scope] };
}
