import type { AccountRow } from "@plimsoll/registry/access/queries";
import type { FoundRepository, FoundRobot, FoundTeam } from "@plimsoll/registry/repositories/search/queries";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { avatarOfAccount } from "../../accounts/views.ts";

/** A namespace that was found. */
export const FoundNamespace = Type.Object({
  title: Type.String({ description: "What it is: user or org" }),
  kind: Type.String({ description: "user or organization" }),
  name: Type.String(),
  avatar: Avatar,
  score: Type.Number(),
  href: Type.String({ description: "Its page" }),
});
export type FoundNamespace = Static<typeof FoundNamespace>;

/** A team that was found. */
export const FoundTeamView = Type.Object({
  kind: Type.Literal("team"),
  name: Type.String(),
  organization: FoundNamespace,
  avatar: Avatar,
  score: Type.Number(),
  href: Type.String({ description: "Its page" }),
});
export type FoundTeamView = Static<typeof FoundTeamView>;

/** A robot that was found. */
export const FoundRobotView = Type.Object({
  title: Type.Literal("robot"),
  kind: Type.Literal("robot"),
  name: Type.String(),
  short_name: Type.String(),
  avatar: Avatar,
  score: Type.Number(),
  href: Type.String({ description: "Its page" }),
});
export type FoundRobotView = Static<typeof FoundRobotView>;

/** A repository that was found. */
export const FoundRepositoryView = Type.Object({
  kind: Type.Literal("repository"),
  title: Type.Literal("repo"),
  namespace: FoundNamespace,
  name: Type.String(),
  description: Type.String(),
  is_public: Type.Boolean(),
  stars: Type.Integer(),
  score: Type.Number({ description: "Higher if the name starts with the text" }),
  href: Type.String({ description: "Its page" }),
});
export type FoundRepositoryView = Static<typeof FoundRepositoryView>;

/** A namespace that was found, as clients see it. */
export function foundNamespace(account: Pick<AccountRow, "kind" | "username" | "email">): FoundNamespace {
  const { kind, username: name } = account;
  const isOrganization = kind === "organization";
  return {
    title: isOrganization ? "org" : "user",
    kind,
    name,
    avatar: avatarOfAccount(account),
    score: 1,
    href: `/${isOrganization ? "organization" : "user"}/${name}`,
  };
}

/** A team that was found, as clients see it. */
export function foundTeam({ id, name, organization }: FoundTeam): FoundTeamView {
  const href = `/organization/${organization.username}/teams/${name}`;
  const avatar = avatarOf("team", name, id);
  return { kind: "team", name, organization: foundNamespace(organization), avatar, score: 1, href };
}

/** A robot that was found, as clients see it. */
export function foundRobot({ username: name, short_name, owner, ownerKind }: FoundRobot): FoundRobotView {
  const kind = "robot" as const;
  const href = `/${ownerKind}/${owner}?tab=robots&showRobot=${encodeURIComponent(name)}`;
  return { title: kind, kind, name, short_name, avatar: avatarOf(kind, name, null), score: 1, href };
}

/** A repository that was found by a part of its name, as clients see it. */
export function foundRepository(repository: FoundRepository, part: string): FoundRepositoryView {
  const { name, description, visibility, username, namespaceKind, stars } = repository;
  return {
    kind: "repository",
    title: "repo",
    namespace: foundNamespace({ ...repository, kind: namespaceKind }),
    name,
    description,
    is_public: visibility === "public",
    stars: Number(stars ?? 0),
    score: name === part ? 3 : name.startsWith(part) ? 2 : 1,
    href: `/repository/${username}/${name}`,
  };
}

/** An account or a team to which a role can be granted. */
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
