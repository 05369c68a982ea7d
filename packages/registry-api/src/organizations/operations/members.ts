import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { ListPageQuery, nextPage } from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { removeMember, showCollaborators, showMember, showMembers } from "../members.ts";
import { Collaborator, OrganizationMember } from "../views/member.ts";

const shared = { tag: "organization", access: onOrganization("admin") } as const;

const collaborators = operation({
  ...shared,
  id: "getOrganizationCollaborators",
  method: "GET",
  path: "/organization/{orgname}/collaborators",
  summary: "Users with roles on repositories of the organization who are not in one of its teams.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ collaborators: Type.Array(Collaborator), ...nextPage }),
  async handle({ subject, query }, context) {
    const { shown, ...next } = await showCollaborators(context, subject.organization, query);
    return { collaborators: [...shown], ...next };
  },
});

const list = operation({
  ...shared,
  id: "getOrganizationMembers",
  method: "GET",
  path: "/organization/{orgname}/members",
  summary: "The users in teams of the organization.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ members: Type.Array(OrganizationMember), ...nextPage }),
  async handle({ subject, query }, context) {
    const { shown, ...next } = await showMembers(context, subject.organization, query);
    return { members: [...shown], ...next };
  },
});

const get = operation({
  ...shared,
  id: "getOrganizationMember",
  versionMembers: ["teams", "repositories"],
  method: "GET",
  path: "/organization/{orgname}/members/{membername}",
  summary: "One member of the organization: a user in a team, or a robot.",
  success: 200,
  result: OrganizationMember,
  handle: async ({ subject, params }, { db }) => showMember(db, subject.organization, params.membername),
});

const remove = operation({
  ...shared,
  id: "removeOrganizationMember",
  version: get,
  audit: ["org_remove_member"],
  method: "DELETE",
  path: "/organization/{orgname}/members/{membername}",
  summary: "Take a user out of all teams, and their roles on the organization's repositories away.",
  success: 204,
  handle: async ({ subject, params }, context) => removeMember(context, subject.organization, params.membername),
});

/** Operations on members and collaborators of organizations. */
export const organizationMemberOperations = [collaborators, list, get, remove];
