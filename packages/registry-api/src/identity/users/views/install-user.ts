import { isReadonlyName, isSuperuserAccount } from "@plimsoll/registry/access/global-role";
import type { AccountRow } from "@plimsoll/registry/access/queries/accounts";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { type QuotaSummary, quotaMembers } from "../../../organizations/quotas/views.ts";

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
