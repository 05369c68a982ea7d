import { type Static, Type } from "typebox";
import type { AccountRow } from "../../access/queries/accounts.ts";
import { Avatar, avatarOf } from "./avatar.ts";

/** A user or a robot, as others mention them. */
export const AccountRef = Type.Object({
  name: Type.String(),
  kind: Type.Literal("user"),
  is_robot: Type.Boolean(),
  is_org_member: Type.Boolean({ description: "Whether they are in a team of the organization, or a robot of it" }),
  avatar: Avatar,
});
export type AccountRef = Static<typeof AccountRef>;

/** What a mention of an account is made of. */
export type NamedAccount = Pick<AccountRow, "kind" | "username" | "email">;

/** An account as the resources of an organization mention it. */
export function accountRef(account: NamedAccount, isMember: boolean): AccountRef {
  return {
    name: account.username,
    kind: "user",
    is_robot: account.kind === "robot",
    is_org_member: isMember,
    avatar: avatarOfAccount(account),
  };
}

/** The avatar of an account of whatever kind. */
export function avatarOfAccount({ kind, username, email }: NamedAccount): Avatar {
  return avatarOf(kind === "organization" ? "org" : kind, username, email);
}
