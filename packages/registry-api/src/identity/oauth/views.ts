import type { AccountRow, OAuthApplication } from "@plimsoll/registry/access/queries";
import { parseScopes, type Scope, scopes } from "@plimsoll/registry/access/scopes";
import type { Sealer } from "@plimsoll/registry/crypto/secrets";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { Type } from "typebox";
import { Organization } from "../../organizations/views.ts";

const OptionalText = Type.Union([Type.String(), Type.Null()]);

/** An application as its organization sees it. */
export const ApplicationView = Type.Object({
  name: Type.String(),
  description: Type.String(),
  application_uri: Type.String(),
  client_id: Type.String(),
  client_secret: OptionalText,
  redirect_uri: OptionalText,
  avatar_email: OptionalText,
});

/** An application as every caller sees it. */
export const ApplicationInformation = Type.Object({
  name: Type.String(),
  description: Type.String(),
  uri: Type.String(),
  avatar: Avatar,
  organization: Organization,
});

/** An application as its organization sees it. Without a sealer, the secret, redirect address and avatar address are null. */
export function applicationView(application: OAuthApplication, secrets: Sealer | undefined) {
  const { name, description, application_uri, client_id, redirect_uri, avatar_email, secret_sealed } = application;
  return {
    name,
    description,
    application_uri,
    client_id,
    client_secret: secrets?.open(secret_sealed) ?? null,
    redirect_uri: secrets === undefined ? null : redirect_uri,
    avatar_email: secrets === undefined ? null : avatar_email,
  };
}

/** The avatar of an application: of its own e-mail address, else of its organization's. */
export function applicationAvatar({ name, avatar_email }: OAuthApplication, { email }: Pick<AccountRow, "email">) {
  return avatarOf("app", name, avatar_email || email);
}

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
type AuthorizedApplication = OAuthApplication &
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
