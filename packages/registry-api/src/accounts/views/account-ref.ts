import type { AccountRow } from "@plimsoll/registry/access/queries/accounts";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";

/** A reference to a user or a robot in a view. */
export const AccountRef = Type.Object({
  name: Type.String(),
  kind: Type.Literal("user"),
  is_robot: Type.Boolean(),
  is_org_member: Type.Boolean({ description: "Whether they are in a team of the organization, or a robot of it" }),
  avatar: Avatar,
});
export type AccountRef = Static<typeof AccountRef>;

/** The columns that a reference to an account needs. */
export type NamedAccount = Pick<AccountRow, "kind" | "username" | "email">;

/** A reference to an account in the views of an organization's resources. */
export function accountRef(account: NamedAccount, { isMember }: { readonly isMember: boolean }): AccountRef {
  return {
    name: account.username,
    kind: "user",
    is_robot: account.kind === "robot",
    is_org_member: isMember,
    avatar: avatarOfAccount(account),
  };
}

/** The avatar of an account of any kind. */
export function avatarOfAccount({ kind, username, email }: NamedAccount): Avatar {
  return avatarOf(kind === "organization" ? "org" : kind, username, email);
}
