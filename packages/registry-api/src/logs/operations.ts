import { onSelf, superusers } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { onRepository } from "@plimsoll/registry/access/on-repository";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { orderParameter, PageToken } from "@plimsoll/registry/lists/list-pages";
import { checkLogExport, type ExportedLog, requestLogExport } from "@plimsoll/registry/logs/request-log-export";
import { type Static, Type } from "typebox";
import { operation } from "../operation.ts";
import { AggregatedLogs, LogPage, readAggregatedLog, readLogPage } from "./log-pages.ts";

const tag = "logs";

const dates = {
  starttime: Type.Optional(Type.String({ maxLength: 40, description: "MM/DD/YYYY in UTC, or with a zone after it" })),
  endtime: Type.Optional(
    Type.String({ maxLength: 40, description: "MM/DD/YYYY in UTC, or with a zone after it; the day is included" }),
  ),
};
const performer = { performer: Type.Optional(Type.String({ maxLength: 255, description: "Username" })) };
const ownPerformer = {
  performer: Type.Optional(Type.String({ maxLength: 255, description: "Username; Plimsoll's own" })),
};
const paged = {
  next_page: Type.Optional(PageToken),
  order: orderParameter(["at"], "-at"),
  kinds: Type.Optional(
    Type.String({ maxLength: 1000, description: "Kinds of entries with commas between them; Plimsoll's own" }),
  ),
  counts: Type.Optional(Type.Boolean({ description: "With how often things were done, by day; Plimsoll's own" })),
};

const ofNamespace = {
  repository: Type.Optional(
    Type.String({ maxLength: 255, description: "Only entries about this repository of the namespace; Plimsoll's own" }),
  ),
};

/** The query of a namespace's log, with the whole name of the repository that it may name. */
function within<Query extends { readonly repository?: string }>(
  { username }: { readonly username: string },
  query: Query,
) {
  return query.repository ? { ...query, repository: `${username}/${query.repository}` } : query;
}

const Exported = Type.Object({ export_id: Type.String() });

const ExportRequest = Type.Object({
  callback_url: Type.Optional(Type.String({ maxLength: 2000, description: "Called with a link to the exported logs" })),
  callback_email: Type.Optional(Type.String({ maxLength: 254, description: "Sent a link to the exported logs" })),
});

const listing = { tag, method: "GET", success: 200, result: LogPage } as const;
const aggregating = { tag, method: "GET", success: 200, result: AggregatedLogs } as const;
const exporting = {
  tag,
  feature: "logExport",
  method: "POST",
  query: Type.Object(dates),
  body: ExportRequest,
  success: 201,
  result: Exported,
} as const;

const listUserLogs = operation({
  ...listing,
  id: "listUserLogs",
  path: "/user/logs",
  summary: "The usage log of the user's namespace.",
  access: onSelf(),
  query: Type.Object({ ...dates, ...performer, ...ofNamespace, ...paged }),
  handle: ({ subject: { account }, query }, context) =>
    readLogPage(context, { namespaceId: account.id }, within(account, query)),
});

const getAggregateUserLogs = operation({
  ...aggregating,
  id: "getAggregateUserLogs",
  path: "/user/aggregatelogs",
  summary: "How often things were done in the user's namespace.",
  access: onSelf(),
  query: Type.Object({ ...dates, ...performer }),
  handle: ({ subject, query }, context) => readAggregatedLog(context, { namespaceId: subject.account.id }, query),
});

const exportUserLogs = operation({
  ...exporting,
  id: "exportUserLogs",
  audit: ["export_logs_success", "export_logs_failure"],
  path: "/user/exportlogs",
  summary: "Export the log of the user's namespace.",
  access: onSelf(),
  prepare: ({ subject, query, body }, context) =>
    checkLogExport(context, { namespaceId: subject.account.id }, { ...query, ...body }),
  handle: ({ subject, query, body }, context) =>
    requestLogExport(context, { namespaceId: subject.account.id }, { ...query, ...body }),
});

const listOrgLogs = operation({
  ...listing,
  id: "listOrgLogs",
  path: "/organization/{orgname}/logs",
  summary: "The usage log of an organization.",
  access: onOrganization("admin"),
  query: Type.Object({ ...dates, ...performer, ...ofNamespace, ...paged }),
  handle: ({ subject: { organization }, query }, context) =>
    readLogPage(context, { namespaceId: organization.id }, within(organization, query)),
});

const getAggregateOrgLogs = operation({
  ...aggregating,
  id: "getAggregateOrgLogs",
  path: "/organization/{orgname}/aggregatelogs",
  summary: "How often things were done in an organization.",
  access: onOrganization("admin"),
  query: Type.Object({ ...dates, ...performer }),
  handle: ({ subject, query }, context) => readAggregatedLog(context, { namespaceId: subject.organization.id }, query),
});

const exportOrgLogs = operation({
  ...exporting,
  id: "exportOrgLogs",
  audit: ["export_logs_success", "export_logs_failure"],
  path: "/organization/{orgname}/exportlogs",
  summary: "Export the log of an organization.",
  access: onOrganization("admin", { auditors: true }),
  prepare: ({ subject, query, body }, context) =>
    checkLogExport(context, { namespaceId: subject.organization.id }, { ...query, ...body }),
  handle: ({ subject, query, body }, context) =>
    requestLogExport(context, { namespaceId: subject.organization.id }, { ...query, ...body }),
});

const listRepoLogs = operation({
  ...listing,
  id: "listRepoLogs",
  path: "/repository/{repository}/logs",
  summary: "The usage log of a repository.",
  access: onRepository("admin"),
  query: Type.Object({ ...dates, ...ownPerformer, ...paged }),
  handle: ({ subject, query }, context) => readLogPage(context, { repositoryId: subject.repository.id }, query),
});

const getAggregateRepoLogs = operation({
  ...aggregating,
  id: "getAggregateRepoLogs",
  path: "/repository/{repository}/aggregatelogs",
  summary: "How often things were done with a repository.",
  access: onRepository("admin"),
  query: Type.Object(dates),
  handle: ({ subject, query }, context) => readAggregatedLog(context, { repositoryId: subject.repository.id }, query),
});

const exportRepoLogs = operation({
  ...exporting,
  id: "exportRepoLogs",
  audit: ["export_logs_success", "export_logs_failure"],
  path: "/repository/{repository}/exportlogs",
  summary: "Export the log of a repository.",
  access: onRepository("admin"),
  prepare: ({ subject, query, body }, context) =>
    checkLogExport(context, logOf(subject.repository), { ...query, ...body }),
  handle: ({ subject, query, body }, context) =>
    requestLogExport(context, logOf(subject.repository), { ...query, ...body }),
});

function logOf({ namespace_id: namespaceId, id: repositoryId, name: repositoryName }: ImageRepository): ExportedLog {
  return { namespaceId, repositoryId, repositoryName };
}

const listAllAggregateLogs = operation({
  ...aggregating,
  tag: "superuser",
  id: "listAllAggregateLogs",
  path: "/superuser/aggregatelogs",
  summary: "How often things were done in the whole registry.",
  internal: true,
  access: superusers,
  freshLogin: true,
  query: Type.Object({ ...dates, ...performer }),
  handle: ({ query }, context) => readAggregatedLog(context, {}, query),
});

const AllLogsQuery = Type.Object({
  ...dates,
  ...ownPerformer,
  repository: Type.Optional(
    Type.String({ maxLength: 511, description: "Only entries about the repository NAMESPACE/NAME; Plimsoll's own" }),
  ),
  ...paged,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "From 1; next_page outranks it" })),
});

const listAllLogs = operation({
  ...listing,
  tag: "superuser",
  id: "listAllLogs",
  path: "/superuser/logs",
  summary: "The usage log of the whole registry.",
  access: superusers,
  freshLogin: true,
  query: AllLogsQuery,
  handle: ({ query }: { readonly query: Static<typeof AllLogsQuery> }, context) => readLogPage(context, {}, query),
});

/** Operations on the usage log of users, organizations, repositories and the registry. */
export const usageLogOperations = [
  getAggregateUserLogs,
  exportUserLogs,
  listUserLogs,
  getAggregateOrgLogs,
  exportOrgLogs,
  listOrgLogs,
  getAggregateRepoLogs,
  exportRepoLogs,
  listRepoLogs,
  listAllLogs,
  listAllAggregateLogs,
];
