import { type OrganizationSubject, onOrganization } from "@plimsoll/registry/access/on-organization";
import { type AccountRow, findAccountById } from "@plimsoll/registry/access/queries";
import { invalidRequest } from "@plimsoll/registry/errors";
import { ListPageQuery, listPages, nextPage } from "@plimsoll/registry/lists/list-pages";
import { formatPageToken, parsePageToken } from "@plimsoll/registry/lists/page-tokens";
import {
  cancelMirroring,
  changeOrganizationMirror,
  checkExternalRegistry,
  createOrganizationMirror,
  getOrganizationMirror,
  type OrganizationMirrorRequest,
  planDiscovery,
  probeRegistry,
} from "@plimsoll/registry/sources/organization-mirrors/organization-mirrors";
import {
  countDiscovered,
  type DiscoveredSyncState,
  listDiscoveredStates,
  type OrganizationMirrorRow,
} from "@plimsoll/registry/sources/organization-mirrors/queries";
import { formatIsoSeconds, parseIsoSeconds } from "@plimsoll/registry/values/dates";
import { pick } from "@plimsoll/registry/values/pick";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../context.ts";
import { operation, withoutNull } from "../operation.ts";
import { ExternalConfig, externalLogin } from "../sources/mirrors/operations.ts";
import { NewMirror, replacedMembers } from "../sources/organization-mirrors/operations.ts";
import {
  DiscoveredRepository,
  discoveredView,
  OrganizationMirror,
  organizationMirrorView,
} from "../sources/organization-mirrors/views.ts";

const resource = { tag: "mirror", feature: "mirroring", access: onOrganization("admin") } as const;
const audit = ["org_mirror_config_changed"] as const;
const path = "/organization/{orgname}/mirror";

const nullableText = Type.Union([Type.String(), Type.Null()]);

const fields = {
  external_registry_type: Type.Enum(["harbor", "quay"], { description: "All are read by the same protocol" }),
  external_registry_url: Type.String({ maxLength: 256, description: "https://host" }),
  external_namespace: Type.String({ maxLength: 255 }),
  robot_username: Type.String({ maxLength: 512 }),
  visibility: Type.Enum(["public", "private"]),
  sync_interval: Type.Integer({ minimum: 60, maximum: 10 * 31_536_000 }),
  sync_start_date: Type.String({ maxLength: 40 }),
};

const optionalFields = {
  is_enabled: Type.Optional(Type.Boolean()),
  ...externalLogin,
  external_registry_config: Type.Optional(ExternalConfig),
  repository_filters: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 1000 })),
  skopeo_timeout: Type.Optional(Type.Integer({ minimum: 30, maximum: 3600 })),
};

/** The members of both forms: of the reference's, and of ours, which our console sends. */
const MirrorRequest = Type.Partial(Type.Object({ ...NewMirror.properties, ...fields, ...optionalFields }));
type MirrorRequest = Static<typeof MirrorRequest>;

const syncStates = ["NEVER_RUN", "SYNC_NOW", "SYNCING", "SUCCESS", "FAIL", "CANCEL", "SKIP"] as const;

/** Our members and those of the reference. */
const Mirror = Type.Object({
  ...OrganizationMirror.properties,
  is_enabled: Type.Boolean(),
  external_registry_type: Type.Literal("quay"),
  external_registry_url: Type.String(),
  external_namespace: Type.String(),
  external_registry_username: nullableText,
  has_external_registry_password: Type.Boolean(),
  external_registry_config: Type.Record(Type.String(), Type.Unknown()),
  repository_filters: Type.Array(Type.String()),
  robot_username: nullableText,
  visibility: Type.String(),
  sync_interval: Type.Integer(),
  sync_start_date: nullableText,
  sync_expiration_date: Type.Null(),
  sync_status: Type.String(),
  sync_retries_remaining: Type.Integer(),
  repo_sync_status_counts: Type.Record(Type.String(), Type.Integer()),
  skopeo_timeout: Type.Integer(),
  creation_date: Type.Null({ description: "Not stored" }),
});

const Repository = Type.Object({
  ...DiscoveredRepository.properties,
  name: Type.String(),
  sync_status: Type.String(),
  discovery_date: nullableText,
  last_sync_date: Type.Null({ description: "Not stored" }),
  status_message: nullableText,
  quay_repository: nullableText,
});

const getOrgMirrorConfig = operation({
  ...resource,
  id: "getOrgMirrorConfig",
  versionMembers: [
    ...replacedMembers,
    "external_registry_type",
    "external_registry_url",
    "external_namespace",
    "repository_filters",
    "skopeo_timeout",
  ],
  method: "GET",
  path,
  summary: "Which registry an organization follows.",
  success: 200,
  result: Mirror,
  handle: ({ subject }, context) => show(subject, context),
});

/** Operations on the mirrors of organizations. They answer both forms of requests: the reference's, and ours, which our console sends. */
export const organizationMirrorOperations = [
  getOrgMirrorConfig,
  operation({
    ...resource,
    id: "createOrgMirrorConfig",
    audit,
    method: "POST",
    path,
    summary: "Let an organization follow another registry.",
    body: MirrorRequest,
    success: 201,
    result: Mirror,
    prepare: async ({ body }, context) => checkExternalRegistry(context, registryOf(body)),
    async handle({ subject, body }, context) {
      const { organization } = subject;
      const { robot_username, external_registry } = { ...requestOf(body), external_registry: registryOf(body) };
      if (robot_username === undefined) throw missing("robot_username");
      if (external_registry === undefined) throw missing("external_registry_url");
      const repository_rule = body.repository_rule ?? ruleOf(body.repository_filters);
      const request = { ...requestOf(body), external_registry, robot_username, repository_rule };
      await createOrganizationMirror(context, organization, request);
      await setStart(context, organization, body.sync_start_date);
      return show(subject, context);
    },
  }),
  operation({
    ...resource,
    id: "updateOrgMirrorConfig",
    version: getOrgMirrorConfig,
    audit,
    method: "PUT",
    path,
    summary: "Change how an organization follows another registry.",
    body: MirrorRequest,
    needsBody: true,
    success: 200,
    result: Mirror,
    prepare: async ({ body, subject }, context) =>
      checkExternalRegistry(context, registryOf(body, await getOrganizationMirror(context, subject.organization))),
    async handle({ subject, body }, context) {
      const { organization } = subject;
      const external_registry = registryOf(body, await getOrganizationMirror(context, organization));
      const changed = external_registry === undefined ? {} : { external_registry };
      await changeOrganizationMirror(context, organization, { ...requestOf(body), ...changed });
      await setStart(context, organization, body.sync_start_date);
      return show(subject, context);
    },
  }),
  operation({
    ...resource,
    id: "cancelOrgMirrorSync",
    audit,
    method: "POST",
    path: "/organization/{orgname}/mirror/sync-cancel",
    summary: "Stop the reading of the catalog and the runs of the mirrors.",
    success: 204,
    handle: ({ subject }, context) => cancelMirroring(context, subject.organization),
  }),
  operation({
    ...resource,
    id: "verifyOrgMirrorConnection",
    method: "POST",
    path: "/organization/{orgname}/mirror/verify",
    summary: "Whether the catalog of the other registry can be read.",
    success: 200,
    result: Type.Object({ success: Type.Boolean(), message: Type.String() }),
    prepare: ({ subject }, context) => probeRegistry(context, subject.organization),
    handle: async ({ prepared }) => prepared,
  }),
  operation({
    ...resource,
    id: "listOrgMirrorRepositories",
    method: "GET",
    path: "/organization/{orgname}/mirror/repositories",
    summary: "The states of the repositories that an organization mirrors, page by page.",
    query: Type.Object({
      ...ListPageQuery.properties,
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: "From 1" })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "100 where absent" })),
      status: Type.Optional(Type.Enum([...syncStates])),
    }),
    success: 200,
    result: Type.Object({
      repositories: Type.Array(Repository),
      page: Type.Integer(),
      limit: Type.Integer(),
      total: Type.Integer(),
      has_next: Type.Boolean(),
      ...nextPage,
    }),
    handle: ({ subject, query }, context) => listRepositories(subject, query, context),
  }),
];

interface RepositoriesQuery extends ListPageQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly status?: string;
}

/** A page by its number, as the reference has it, or by a token, as our console asks. */
async function listRepositories(
  { organization }: OrganizationSubject,
  { page: given, limit = 100, status, next_page }: RepositoriesQuery,
  context: OperationContext,
) {
  await getOrganizationMirror(context, organization);
  const pages = listPages(context, "mirrored repositories", organization.id);
  const [numbered = given ?? 1] = parsePageToken(pages, next_page) ?? [];
  const page = Number(numbered);
  const from = { state: status, offset: (page - 1) * limit, limit };
  const rows = await listDiscoveredStates(context.db, organization.id, from);
  const counts = await countDiscovered(context.db, organization.id);
  const total = status === undefined ? sum(counts.values()) : (counts.get(status as DiscoveredSyncState) ?? 0);
  const has_next = page * limit < total;
  const repositories = rows.map((row) => repositoryView(row, organization.username));
  const next = has_next ? { next_page: formatPageToken(pages, [page + 1]) } : {};
  return { repositories, page, limit, total, has_next, ...next };
}

function repositoryView(row: Awaited<ReturnType<typeof listDiscoveredStates>>[number], organization: string) {
  return {
    ...discoveredView(row),
    name: row.external_name,
    sync_status: row.sync_status,
    discovery_date: formatIsoSeconds(row.changed_at),
    last_sync_date: null,
    status_message: row.reason || null,
    quay_repository: row.repository === null ? null : `${organization}/${row.repository}`,
  };
}

async function show({ organization }: OrganizationSubject, context: OperationContext): Promise<Static<typeof Mirror>> {
  const row = await getOrganizationMirror(context, organization);
  const robot = await findAccountById(context.db, row.robot_id);
  const view = organizationMirrorView(row, robot?.username ?? null);
  const { host, path: external_namespace } = splitRegistry(row);
  const counts = await countDiscovered(context.db, organization.id);
  return {
    ...view,
    external_registry_type: "quay",
    external_registry_url: `https://${host}`,
    external_namespace,
    has_external_registry_password: row.external_password_sealed !== null,
    repository_filters: view.repository_rule,
    sync_start_date: row.discover_at === null ? null : formatIsoSeconds(row.discover_at),
    sync_expiration_date: null,
    sync_status: row.state,
    sync_retries_remaining: row.is_enabled,
    repo_sync_status_counts: Object.fromEntries(syncStates.map((state) => [state, counts.get(state) ?? 0])),
    skopeo_timeout: view.skopeo_timeout_interval,
    creation_date: null,
  };
}

function splitRegistry({ external_registry }: Pick<OrganizationMirrorRow, "external_registry">) {
  const [host = "", ...segments] = external_registry.split("/");
  return { host, path: segments.join("/") };
}

/** `host/namespace` of a request, with the parts that it leaves out as they are; undefined if it names none. @throws RegistryError `invalid_request` */
function registryOf(
  { external_registry: ours, external_registry_url: url, external_namespace: namespace }: MirrorRequest,
  current?: OrganizationMirrorRow,
): string | undefined {
  if (ours !== undefined) return ours;
  if (url === undefined && namespace === undefined) return undefined;
  const known = current === undefined ? { host: "", path: "" } : splitRegistry(current);
  const host = url === undefined ? known.host : hostOf(url);
  return [host, namespace ?? known.path].filter((part) => part !== "").join("/");
}

function hostOf(url: string): string {
  const [, host] = /^(?:https:\/\/)?([^/:]+(?::\d+)?)\/?$/.exec(url) ?? [];
  if (host !== undefined) return host;
  throw invalidRequest("external_registry_url: expected https://host, another scheme or a path is not allowed");
}

/** Without filters, the reference mirrors all repositories. */
function ruleOf(filters: readonly string[] | undefined): readonly string[] {
  return filters === undefined || filters.length === 0 ? ["*"] : filters;
}

/** The members that have the same meaning. */
function requestOf(body: MirrorRequest): OrganizationMirrorRequest {
  const { repository_filters, skopeo_timeout } = body;
  return {
    ...withoutNull(pick(body, sharedMembers), ""),
    ...(repository_filters !== undefined && { repository_rule: ruleOf(repository_filters) }),
    ...(skopeo_timeout !== undefined && { skopeo_timeout_interval: skopeo_timeout }),
  };
}

const sharedMembers = [
  "is_enabled",
  "external_registry_username",
  "external_registry_password",
  "external_registry_config",
  "repository_rule",
  "tag_rule",
  "visibility",
  "robot_username",
  "sync_interval",
  "skopeo_timeout_interval",
] as const;

function missing(member: string) {
  return invalidRequest(`body/${member}: expected a value, found none`);
}

async function setStart(context: OperationContext, organization: AccountRow, date: string | undefined): Promise<void> {
  if (date === undefined) return;
  const at = parseIsoSeconds(date);
  if (at === undefined) {
    throw invalidRequest("Invalid sync_start_date format. Use ISO 8601: YYYY-MM-DDTHH:MM:SSZ");
  }
  await planDiscovery(context, organization, at);
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, each) => total + each, 0);
}
