import type { AccountRow, TeamRow } from "@plimsoll/registry/access/queries";
import { nextPage } from "@plimsoll/registry/lists/list-pages";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { avatarOfAccount } from "../../accounts/views.ts";

/** What the members of a team may do in the organization. */
export const TeamRoleView = Type.Enum(["member", "creator", "admin"]);

/** A team in the responses of operations that change it. */
export const Team = Type.Object({
  name: Type.String(),
  description: Type.String(),
  can_view: Type.Boolean(),
  role: TeamRoleView,
  avatar: Avatar,
  new_team: Type.Boolean({ description: "Whether the call made it" }),
});
export type Team = Static<typeof Team>;

/** A team as an admin of its organization sees it. */
export function teamView({ id, name, description, role }: TeamRow, { isNew }: { readonly isNew: boolean }): Team {
  return { name, description, can_view: true, role, avatar: avatarOf("team", name, id), new_team: isNew };
}

/** A member of a team, or an account that is invited to it. */
export const TeamMember = Type.Object({
  name: Type.String(),
  kind: Type.Literal("user"),
  is_robot: Type.Boolean(),
  avatar: Avatar,
  invited: Type.Boolean({ description: "Whether they have not answered yet" }),
});
export type TeamMember = Static<typeof TeamMember>;

/** A member of a team, or an invited account, as clients see it. */
export function teamMemberView(
  account: Pick<AccountRow, "kind" | "username" | "email">,
  { invited }: { readonly invited: boolean },
): TeamMember {
  const { kind, username: name } = account;
  return { name, kind: "user", is_robot: kind === "robot", avatar: avatarOfAccount(account), invited };
}

/** An e-mail address that is invited to a team. */
export const InvitedEmail = Type.Object({
  email: Type.String(),
  kind: Type.Literal("invite"),
  avatar: Avatar,
  invited: Type.Literal(true),
});
export type InvitedEmail = Static<typeof InvitedEmail>;

/** An invited e-mail address as clients see it. */
export function invitedEmailView(email: string): InvitedEmail {
  return { email, kind: "invite", avatar: avatarOf("user", email, email), invited: true };
}

/** The members of a team. */
export const TeamMembers = Type.Object({
  name: Type.String(),
  members: Type.Array(Type.Union([TeamMember, InvitedEmail])),
  ...nextPage,
  can_edit: Type.Boolean(),
  can_sync: Type.Optional(Type.Object({ service: Type.String() })),
  synced: Type.Optional(
    Type.Object({
      service: Type.String(),
      last_updated: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      config: Type.Optional(
        Type.Object({ group_dn: Type.Optional(Type.String()), group_name: Type.Optional(Type.String()) }),
      ),
    }),
  ),
});
