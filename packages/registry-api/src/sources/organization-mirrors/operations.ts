import { type OrganizationSubject, onOrganization } from "@plimsoll/registry/access/on-organization";
import { findAccountById } from "@plimsoll/registry/access/queries";
import { ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import {
  changeOrganizationMirror,
  checkExternalRegistry,
  createOrganizationMirror,
  deleteOrganizationMirror,
  getOrganizationMirror,
  queueDiscovery,
  scheduleDiscovery,
} from "@plimsoll/registry/sources/organization-mirrors/organization-mirrors";
import { listDiscovered } from "@plimsoll/registry/sources/organization-mirrors/queries";
import { Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation, withoutNull } from "../../operation.ts";
import { ExternalConfig, externalLogin } from "../mirrors/operations.ts";
import { DiscoveredRepository, discoveredView, OrganizationMirror, organizationMirrorView } from "./views.ts";

const resource = { tag: "mirror", feature: "mirroring", isOwn: true, access: onOrganization("admin") } as const;
const audit = ["org_mirror_config_changed"] as const;
const path = "/organization/{orgname}/mirror";

const patterns = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 1000, description });

const fields = {
  external_registry: Type.String({
    minLength: 1,
    maxLength: 256,
    description: "host, or host/path for what is below that path",
  }),
  repository_rule: patterns("Globs for names below the path; what one that begins with ! matches is left out"),
  robot_username: Type.String({ maxLength: 512, description: "The robot that pushes" }),
};

const optionalFields = {
  is_enabled: Type.Optional(Type.Boolean()),
  ...externalLogin,
  external_registry_config: Type.Optional(ExternalConfig),
  tag_rule: Type.Optional(patterns("Globs for tags; all where absent")),
  visibility: Type.Optional(Type.Enum(["public", "private"], { description: "Of repositories that are made" })),
  sync_interval: Type.Optional(
    Type.Integer({ minimum: 300, maximum: 10 * 31_536_000, description: "Seconds; default: a day" }),
  ),
  skopeo_timeout_interval: Type.Optional(Type.Integer({ minimum: 300, maximum: 86_400, description: "Seconds" })),
};

/** The body of a request that lets an organization follow another registry. */
export const NewMirror = Type.Object({ ...fields, ...optionalFields });
const MirrorChange = Type.Object({
  external_registry: Type.Optional(fields.external_registry),
  repository_rule: Type.Optional(fields.repository_rule),
  robot_username: Type.Optional(fields.robot_username),
  ...optionalFields,
});

/** The members of a mirror that requests replace; others change with each reading of the catalog. */
export const replacedMembers = [
  "external_registry",
  "repository_rule",
  "robot_username",
  "is_enabled",
  "external_registry_username",
  "external_registry_config",
  "tag_rule",
  "visibility",
  "sync_interval",
  "skopeo_timeout_interval",
] as const;

const getOrganizationMirrorOperation = operation({
  ...resource,
  id: "getOrganizationMirror",
  versionMembers: replacedMembers,
  method: "GET",
  path,
  summary: "Which registry an organization follows, and by which rule.",
  success: 200,
  result: OrganizationMirror,
  handle: ({ subject }, context) => show(subject, context),
});

/** Organizations that follow the catalog of another registry. */
export const organizationMirrorOperations = [
  getOrganizationMirrorOperation,
  operation({
    ...resource,
    id: "createOrganizationMirror",
    audit,
    method: "POST",
    path,
    summary: "Let an organization follow another registry: the repositories that a rule names become mirrors.",
    body: NewMirror,
    success: 201,
    result: OrganizationMirror,
    prepare: ({ body }, context) => checkExternalRegistry(context, body.external_registry),
    async handle({ subject, body }, context) {
      await createOrganizationMirror(context, subject.organization, withoutNull(body, ""));
      if (body.is_enabled !== false) await queueDiscovery(context, subject.organization);
      return show(subject, context);
    },
  }),
  operation({
    ...resource,
    id: "changeOrganizationMirror",
    version: getOrganizationMirrorOperation,
    audit,
    method: "PUT",
    path,
    summary: "Change how an organization follows another registry.",
    body: MirrorChange,
    success: 200,
    result: OrganizationMirror,
    prepare: ({ body }, context) => checkExternalRegistry(context, body.external_registry),
    async handle({ subject, body }, context) {
      await changeOrganizationMirror(context, subject.organization, withoutNull(body, ""));
      return show(subject, context);
    },
  }),
  operation({
    ...resource,
    id: "deleteOrganizationMirror",
    version: getOrganizationMirrorOperation,
    audit,
    method: "DELETE",
    path,
    summary: "Let an organization follow no registry any more; its repositories stay mirrors.",
    success: 204,
    handle: ({ subject }, context) => deleteOrganizationMirror(context, subject.organization),
  }),
  operation({
    ...resource,
    id: "discoverOrganizationRepositories",
    audit,
    method: "POST",
    path: "/organization/{orgname}/mirror/discover",
    summary: "Read the catalog of the registry that an organization follows as soon as possible.",
    success: 201,
    result: OrganizationMirror,
    async handle({ subject }, context) {
      await scheduleDiscovery(context, subject.organization);
      await queueDiscovery(context, subject.organization);
      return show(subject, context);
    },
  }),
  operation({
    ...resource,
    id: "listOrganizationMirrorRepositories",
    method: "GET",
    path: "/organization/{orgname}/mirror/repositories",
    summary: "The states of the repositories that an organization mirrors.",
    query: ListPageQuery,
    success: 200,
    result: Type.Object({ repositories: Type.Array(DiscoveredRepository), ...nextPage }),
    async handle({ subject, query }, context) {
      const { organization } = subject;
      const list = { list: "mirrored repositories", ownerId: organization.id, query, first: [""] } as const;
      const { rows, ...next } = await readListPage(
        context,
        { ...list, keyOf: ({ external_name }: Listed): readonly [string] => [external_name] },
        (from) => listDiscovered(context.db, organization, from),
      );
      return { repositories: rows.map(discoveredView), ...next };
    },
  }),
];

type Listed = Awaited<ReturnType<typeof listDiscovered>>[number];

async function show({ organization }: OrganizationSubject, context: OperationContext): Promise<OrganizationMirror> {
  const mirror = await getOrganizationMirror(context, organization);
  const robot = await findAccountById(context.db, mirror.robot_id);
  return organizationMirrorView(mirror, robot?.username ?? null);
}
