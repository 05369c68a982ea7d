import { type Static, Type } from "typebox";
import { onRepository } from "../../access/on-repository.ts";
import type { OperationContext } from "../../context.ts";
import { ListPageQuery, nextPage } from "../../lists/list-pages.ts";
import { operation } from "../../operation.ts";
import { formatDate } from "../../values/dates.ts";
import { checkMethodAddress, notificationMethods } from "../notification-methods.ts";
import { type DeliveryRow, listDeliveries } from "../queries/deliveries.ts";
import { type RepositoryNotificationRow, repositoryEvents } from "../queries/repository-notifications.ts";
import {
  createNotification,
  deleteNotification,
  getNotification,
  listNotifications,
  resetFailures,
  testNotification,
} from "../repository-notifications.ts";
import { openConfig } from "../stored-config.ts";

const resource = {
  tag: "repositorynotification",
  feature: "repositoryNotifications",
  access: onRepository("admin"),
} as const;

const Config = Type.Record(Type.String({ maxLength: 255 }), Type.Unknown());

const RepositoryNotification = Type.Object({
  uuid: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
  event: Type.String(),
  method: Type.String(),
  config: Config,
  eventConfig: Config,
  event_config: Type.Record(Type.String(), Type.Unknown(), { description: "The same as eventConfig" }),
  number_of_failures: Type.Integer(),
});

const NewNotification = Type.Object({
  event: Type.Enum([...repositoryEvents]),
  method: Type.Enum([...notificationMethods]),
  config: Config,
  eventConfig: Config,
  title: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
});

const CreatedNotification = Type.Object({
  ...RepositoryNotification.properties,
  secret: Type.Optional(
    Type.String({ description: "The secret that signs the deliveries of a webhook: only shown here" }),
  ),
});

const RepositoryDelivery = Type.Object({
  id: Type.String({ description: "The header webhook-id" }),
  state: Type.Enum(["delivered", "retrying", "failed", "dropped"]),
  attempts: Type.Integer(),
  detail: Type.String({ description: "The receiver's response, or the reason why it was not reached" }),
  is_test: Type.Boolean(),
  began: Type.String(),
  changed: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
});

function deliveryView(row: DeliveryRow): Static<typeof RepositoryDelivery> {
  const { id, state, attempts, detail, is_test, began_at, changed_at, payload } = row;
  const times = { began: formatDate(began_at), changed: formatDate(changed_at) };
  const event = JSON.parse(payload) as Record<string, unknown>;
  return { id, state, attempts, detail, is_test: is_test === 1, ...times, payload: event };
}

function view(row: RepositoryNotificationRow, { secrets }: OperationContext): Static<typeof RepositoryNotification> {
  const eventConfig = JSON.parse(row.event_config) as Record<string, unknown>;
  return {
    uuid: row.id,
    title: row.title,
    event: row.event,
    method: row.method,
    config: openConfig(secrets, row.config) ?? {},
    eventConfig,
    event_config: eventConfig,
    number_of_failures: row.failures,
  };
}

const listRepoNotifications = operation({
  ...resource,
  id: "listRepoNotifications",
  method: "GET",
  path: "/repository/{repository}/notification/",
  summary: "The notifications for events of a repository.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ notifications: Type.Array(RepositoryNotification), ...nextPage }),
  async handle({ subject, query }, context) {
    const { rows, ...next } = await listNotifications(context, subject.repository, query);
    return { notifications: rows.map((row) => view(row, context)), ...next };
  },
});

const createRepoNotification = operation({
  ...resource,
  id: "createRepoNotification",
  keeps: "notifications",
  audit: ["add_repo_notification"],
  method: "POST",
  path: "/repository/{repository}/notification/",
  summary: "Create a notification for events of a repository.",
  body: NewNotification,
  success: 201,
  result: CreatedNotification,
  prepare: ({ body }, context) => checkMethodAddress(context, body.method, body.config),
  async handle({ subject, body }, context) {
    const { row, secret } = await createNotification(context, subject.repository, body);
    return { ...view(row, context), ...(secret !== undefined && { secret }) };
  },
});

const getRepoNotification = operation({
  ...resource,
  id: "getRepoNotification",
  method: "GET",
  path: "/repository/{repository}/notification/{uuid}",
  summary: "One notification for events of a repository.",
  success: 200,
  result: RepositoryNotification,
  handle: async ({ subject, params }, context) =>
    view(await getNotification(context, subject.repository, params.uuid), context),
});

const deleteRepoNotification = operation({
  ...resource,
  id: "deleteRepoNotification",
  audit: ["delete_repo_notification"],
  method: "DELETE",
  path: "/repository/{repository}/notification/{uuid}",
  summary: "Delete a notification.",
  success: 204,
  handle: ({ subject, params }, context) => deleteNotification(context, subject.repository, params.uuid),
});

const resetRepositoryNotificationFailures = operation({
  ...resource,
  id: "resetRepositoryNotificationFailures",
  audit: ["reset_repo_notification"],
  method: "POST",
  path: "/repository/{repository}/notification/{uuid}",
  summary: "Reset the failures of a notification: too many of them disabled it.",
  success: 204,
  handle: ({ subject, params }, context) => resetFailures(context, subject.repository, params.uuid),
});

const testRepoNotification = operation({
  ...resource,
  id: "testRepoNotification",
  method: "POST",
  path: "/repository/{repository}/notification/{uuid}/test",
  summary: "Send a test event to a notification.",
  success: 201,
  result: Type.Object({}),
  handle: ({ subject, params }, context) => testNotification(context, subject.repository, params.uuid),
});

const listRepoNotificationDeliveries = operation({
  ...resource,
  id: "listRepoNotificationDeliveries",
  internal: true,
  method: "GET",
  path: "/repository/{repository}/notification/{uuid}/deliveries",
  summary: "The last 100 deliveries of a notification, the latest first.",
  success: 200,
  result: Type.Object({ deliveries: Type.Array(RepositoryDelivery) }),
  async handle({ subject, params }, context) {
    const { id } = await getNotification(context, subject.repository, params.uuid);
    return { deliveries: (await listDeliveries(context.db, id)).map(deliveryView) };
  },
});

/** The notifications for events of a repository. */
export const repositoryNotificationOperations = [
  listRepoNotifications,
  createRepoNotification,
  getRepoNotification,
  deleteRepoNotification,
  resetRepositoryNotificationFailures,
  testRepoNotification,
  listRepoNotificationDeliveries,
];
