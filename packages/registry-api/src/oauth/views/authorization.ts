import { Type } from "typebox";
import type { AccountRow } from "../../access/queries/accounts.ts";
import { parseScopes } from "../../access/scopes.ts";
import { Avatar, avatarOf } from "../../accounts/views/avatar.ts";
import type { OAuthApplication } from "../queries/applications.ts";
import { applicationAvatar } from "./application.ts";
import { ScopeView, scopeView } from "./scope.ts";

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
