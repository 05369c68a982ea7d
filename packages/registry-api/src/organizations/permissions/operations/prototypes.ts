import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { accountOf } from "@plimsoll/registry/access/principal";
import { beforeOldest, creationKey, ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import {
  changePrototype,
  createPrototype,
  deletePrototype,
  getPrototype,
  prototypeMetadata,
} from "@plimsoll/registry/organizations/permissions/prototypes";
import { listPrototypes } from "@plimsoll/registry/organizations/permissions/queries/prototypes";
import { Type } from "typebox";
import { RepositoryRoleView } from "../../../accounts/views.ts";
import { operation } from "../../../operation.ts";
import { Prototype, showPrototype, showPrototypes } from "../views.ts";

const shared = { tag: "prototype", access: onOrganization("admin") } as const;

const Name = Type.String({ minLength: 1, maxLength: 511 });

const NewPrototype = Type.Object({
  role: RepositoryRoleView,
  delegate: Type.Object({ name: Name, kind: Type.Enum(["user", "team"]) }, { description: "Who is granted the role" }),
  activating_user: Type.Optional(
    Type.Object({ name: Name }, { description: "The user whose new repositories it applies to; default: every user" }),
  ),
});

const getPrototypes = operation({
  ...shared,
  id: "getOrganizationPrototypePermissions",
  method: "GET",
  path: "/organization/{orgname}/prototypes",
  summary: "The default permissions of the organization's new repositories.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ prototypes: Type.Array(Prototype), ...nextPage }),
  async handle({ subject: { organization }, query }, context) {
    const { db } = context;
    const list = {
      list: "prototypes",
      ownerId: organization.id,
      query,
      first: beforeOldest,
      keyOf: creationKey,
    } as const;
    const { rows, ...next } = await readListPage(context, list, (from) => listPrototypes(db, organization.id, from));
    return { prototypes: await showPrototypes(db, organization, rows), ...next };
  },
});

const getOne = operation({
  ...shared,
  id: "getOrganizationPrototypePermission",
  versionMembers: ["role"],
  isOwn: true,
  method: "GET",
  path: "/organization/{orgname}/prototypes/{prototypeid}",
  summary: "A default permission of the organization's new repositories.",
  success: 200,
  result: Prototype,
  handle: async ({ subject: { organization }, params }, { db }) =>
    showPrototype(db, organization, await getPrototype(db, organization, params.prototypeid)),
});

const create = operation({
  ...shared,
  id: "createOrganizationPrototypePermission",
  keeps: "prototypes",
  audit: ["create_prototype_permission"],
  method: "POST",
  path: "/organization/{orgname}/prototypes",
  summary: "Grant a user, robot or team a role on each new repository.",
  body: NewPrototype,
  success: 201,
  result: Prototype,
  async handle({ subject: { organization }, body }, { db, now, principal, log }) {
    const { role, delegate, activating_user } = body;
    const wanted = { organization, role, delegate, activatingName: activating_user?.name, now };
    const prototype = await createPrototype(db, wanted);
    await log("create_prototype_permission", prototypeMetadata(prototype, accountOf(principal)?.username));
    return showPrototype(db, organization, prototype);
  },
});

const update = operation({
  ...shared,
  id: "updateOrganizationPrototypePermission",
  version: getOne,
  audit: ["modify_prototype_permission"],
  method: "PUT",
  path: "/organization/{orgname}/prototypes/{prototypeid}",
  summary: "Change the role that a default permission grants.",
  body: Type.Object({ role: Type.Optional(RepositoryRoleView) }),
  success: 200,
  result: Prototype,
  async handle({ subject: { organization }, params, body: { role } }, context) {
    const changed = await changePrototype(context, organization, { id: params.prototypeid, role });
    return showPrototype(context.db, organization, changed);
  },
});

const remove = operation({
  ...shared,
  id: "deleteOrganizationPrototypePermission",
  version: getOne,
  audit: ["delete_prototype_permission"],
  method: "DELETE",
  path: "/organization/{orgname}/prototypes/{prototypeid}",
  summary: "Grant it on new repositories no longer.",
  success: 204,
  handle: ({ subject, params }, context) => deletePrototype(context, subject.organization, params.prototypeid),
});

/** Operations on the default permissions of an organization's new repositories. */
export const prototypeOperations = [getPrototypes, getOne, create, update, remove];
