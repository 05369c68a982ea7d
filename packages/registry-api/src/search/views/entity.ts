import { type Static, Type } from "typebox";
import { Avatar } from "../../accounts/views/avatar.ts";

/** Somebody or something that can be granted a role. */
export const Entity = Type.Object({
  name: Type.String(),
  kind: Type.Enum(["user", "team", "org"]),
  is_robot: Type.Optional(Type.Boolean()),
  is_org_member: Type.Optional(
    Type.Boolean({ description: "Shown to members of the organization; teams always are of it" }),
  ),
  avatar: Avatar,
});
export type Entity = Static<typeof Entity>;
