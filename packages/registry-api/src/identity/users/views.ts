import { type GlobalRole, isReadonlyName, isSuperuserAccount } from "@plimsoll/registry/access/global-role";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import { organizationRole } from "@plimsoll/registry/access/roles";
import { type HeldScopes, holdsScope } from "@plimsoll/registry/access/scopes";
import type { UserOrganization } from "@plimsoll/registry/organizations/queries";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import type { Row } from "@plimsoll/registry/store/tables/all";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { type QuotaSummary, quotaMembers } from "../../organizations/quotas/views.ts";

/** A user as superusers see them. */
export const InstallUser = Type.Object({
  kind: Type.Literal("user"),
  name: Type.String(),
  username: Type.String(),
  email: Type.String({ description: "Empty: none" }),
  verified: Type.Boolean(),
  avatar: Avatar,
  super_user: Type.Boolean(),
  global_readonly_super_user: Type.Boolean(),
  enabled: Type.Boolean(),
  ...quotaMembers,
});
export type InstallUser = Static<typeof InstallUser>;

/** A user as superusers see them. */
export function installUserView(
  account: AccountRow,
  settings: RegistrySettings,
  quota: QuotaSummary = {},
): InstallUser {
  const { username, email, verified, enabled } = account;
  return {
    kind: "user",
    name: username,
    username,
    email: email ?? "",
    verified: verified === 1,
    avatar: avatarOf("user", username, email),
    super_user: isSuperuserAccount(settings, account),
    global_readonly_super_user: isReadonlyName(settings, username),
    enabled: enabled === 1,
    ...quota,
  };
}

/** The profile of a user. */
export const UserProfile = Type.Object({
  given_name: Type.Optional(Type.String({ maxLength: 255 })),
  family_name: Type.Optional(Type.String({ maxLength: 255 })),
  company: Type.Optional(Type.String({ maxLength: 255 })),
  location: Type.Optional(Type.String({ maxLength: 255 })),
});
export type UserProfile = Static<typeof UserProfile>;

const OptionalText = Type.Union([Type.String(), Type.Null()]);

/** A user as every caller sees them. */
export const PublicUser = Type.Object({ anonymous: Type.Literal(false), username: Type.String(), avatar: Avatar });

/** A user as they see themselves. Most members need the scope `user:admin`. */
export const CurrentUser = Type.Object({
  ...PublicUser.properties,
  is_me: Type.Optional(Type.Literal(true)),
  can_create_repo: Type.Optional(Type.Boolean()),
  verified: Type.Optional(Type.Boolean()),
  email: Type.Optional(OptionalText),
  logins: Type.Optional(
    Type.Array(
      Type.Object({
        service: Type.String({ description: "`ldap`" }),
        service_identifier: Type.String({ description: "The user's name there" }),
        metadata: Type.Object({}),
      }),
      { description: "The external logins of this account" },
    ),
  ),
  prompts: Type.Optional(Type.Array(Type.String(), { description: "What the user is asked for; nothing" })),
  invoice_email: Type.Optional(Type.Boolean()),
  invoice_email_address: Type.Optional(OptionalText),
  preferred_namespace: Type.Optional(Type.Boolean()),
  tag_expiration_s: Type.Optional(Type.Integer()),
  is_free_account: Type.Optional(Type.Boolean()),
  has_password_set: Type.Optional(Type.Boolean()),
  given_name: Type.Optional(OptionalText),
  family_name: Type.Optional(OptionalText),
  company: Type.Optional(OptionalText),
  location: Type.Optional(OptionalText),
  organizations: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        avatar: Avatar,
        public: Type.Boolean(),
        can_create_repo: Type.Boolean(),
        is_org_admin: Type.Optional(Type.Boolean()),
        preferred_namespace: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
  super_user: Type.Optional(Type.Literal(true)),
  global_readonly_super_user: Type.Optional(Type.Literal(true)),
  ...quotaMembers,
});
export type CurrentUser = Static<typeof CurrentUser>;

/** A user as every caller sees them. */
export function publicUserView({ username, email }: AccountRow): Static<typeof PublicUser> {
  return { anonymous: false, username, avatar: avatarOf("user", username, email) };
}

/** The values of {@link currentUserView}. */
interface CurrentUserView {
  readonly account: AccountRow;
  readonly organizations: readonly UserOrganization[];
  readonly globalRole: GlobalRole;
  readonly held: HeldScopes;
  readonly quota: QuotaSummary;
  readonly logins: readonly Pick<Row<"external_login">, "service" | "subject">[];
}

/** A user as they see themselves, as far as the scopes of their credential allow. */
export function currentUserView({
  account,
  organizations,
  globalRole,
  held,
  quota,
  logins,
}: CurrentUserView): CurrentUser {
  return {
    ...publicUserView(account),
    email: holdsScope(held, "user:read") ? account.email : undefined,
    ...(holdsScope(held, "user:admin") && { ...ownMembers(account, logins), ...quota }),
    organizations: organizations.map((each) => organizationMember(each, held)),
    ...(globalRole.isSuperuser && { super_user: true as const }),
    ...(globalRole.isReadonlySuperuser && { global_readonly_super_user: true as const }),
  };
}

function ownMembers(account: AccountRow, logins: CurrentUserView["logins"]) {
  const { given_name, family_name, company, location } = JSON.parse(account.profile) as UserProfile;
  return {
    is_me: true as const,
    can_create_repo: true,
    verified: account.verified === 1,
    logins: logins.map(({ service, subject }) => ({ service, service_identifier: subject, metadata: {} })),
    prompts: [],
    invoice_email: account.invoice_email === 1,
    invoice_email_address: account.invoice_email_address,
    preferred_namespace: false,
    tag_expiration_s: account.tag_expiration_s,
    is_free_account: true,
    has_password_set: account.password_hash !== null,
    given_name: given_name ?? null,
    family_name: family_name ?? null,
    company: company ?? null,
    location: location ?? null,
  };
}

function organizationMember({ username, email, roles }: UserOrganization, held: HeldScopes) {
  const role = organizationRole(roles, held);
  return {
    name: username,
    avatar: avatarOf("org", username, email),
    public: false,
    can_create_repo: role === "admin" || role === "creator",
    ...(holdsScope(held, "user:admin") && { is_org_admin: role === "admin", preferred_namespace: false }),
  };
}
