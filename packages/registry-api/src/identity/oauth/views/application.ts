import type { AccountRow } from "@plimsoll/registry/access/queries/accounts";
import type { OAuthApplication } from "@plimsoll/registry/access/queries/applications";
import type { Sealer } from "@plimsoll/registry/crypto/secrets";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { Type } from "typebox";
import { Organization } from "../../../organizations/views/organization.ts";

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
