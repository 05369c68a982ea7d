import { onRepository } from "@plimsoll/registry/access/on-repository";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { invalidRequest } from "@plimsoll/registry/errors";
import { checkMethodAddress } from "@plimsoll/registry/events/notification-methods";
import { type NotificationOwner, notificationsOf } from "@plimsoll/registry/events/notification-owner";
import {
  createNotification,
  deleteNotification,
  getNotification,
  notificationEntry,
  resetNotification,
  testNotification,
} from "@plimsoll/registry/events/notifications";
import {
  findStoredNotification,
  type NotificationRow,
  repositoryEvents,
} from "@plimsoll/registry/events/queries/notifications";
import { ListPageQuery } from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation, withoutNull } from "../../operation.ts";
import {
  Deliveries,
  NewlyCreated,
  Notification,
  Notifications,
  requestMembers,
  viewCreated,
  viewDeliveries,
  viewNotification,
  viewNotifications,
} from "./notification-schemas.ts";

const resource = {
  tag: "repositorynotification",
  feature: "repositoryNotifications",
  access: onRepository("admin"),
} as const;

const of = (repository: ImageRepository): NotificationOwner => ({ kind: "repository", repository });

/** The notification that a change is about: the contract answers 400 where there is none. @throws RegistryError `invalid_request` */
async function getKnownNotification(
  { db }: OperationContext,
  repository: ImageRepository,
  uuid: string,
): Promise<NotificationRow> {
  const row = await findStoredNotification(db, notificationsOf(of(repository)), uuid);
  if (row !== undefined) return row;
  throw invalidRequest(`No repository notification found for: ${repository.namespace}, ${repository.name}, ${uuid}`);
}

const listRepoNotifications = operation({
  ...resource,
  id: "listRepoNotifications",
  method: "GET",
  path: "/repository/{repository}/notification/",
  summary: "The notifications for events of a repository.",
  query: ListPageQuery,
  success: 200,
  result: Notifications,
  handle: ({ subject, query }, context) => viewNotifications(context, of(subject.repository), query),
});

const createRepoNotification = operation({
  ...resource,
  id: "createRepoNotification",
  keeps: "notifications",
  audit: ["add_repo_notification"],
  method: "POST",
  path: "/repository/{repository}/notification/",
  summary: "Create a notification for events of a repository.",
  body: Type.Object({ event: Type.Enum([...repositoryEvents]), ...requestMembers }),
  success: 201,
  result: NewlyCreated,
  prepare: ({ body }, context) => checkMethodAddress(context, body.method, body.config),
  async handle({ subject: { repository }, body }, context) {
    const created = await createNotification(context, of(repository), withoutNull(body));
    await context.log("add_repo_notification", notificationEntry(of(repository), created.row));
    return viewCreated(created, context);
  },
});

const getRepoNotification = operation({
  ...resource,
  id: "getRepoNotification",
  versionMembers: ["title", "event", "method", "config", "event_config", "number_of_failures"],
  method: "GET",
  path: "/repository/{repository}/notification/{uuid}",
  summary: "One notification for events of a repository.",
  success: 200,
  result: Notification,
  handle: async ({ subject, params }, context) =>
    viewNotification(await getNotification(context, of(subject.repository), params.uuid), context),
});

const deleteRepoNotification = operation({
  ...resource,
  id: "deleteRepoNotification",
  version: getRepoNotification,
  audit: ["delete_repo_notification"],
  method: "DELETE",
  path: "/repository/{repository}/notification/{uuid}",
  summary: "Delete a notification.",
  success: 204,
  async handle({ subject: { repository }, params }, context) {
    const row = await getKnownNotification(context, repository, params.uuid);
    await deleteNotification(context, "delete_repo_notification", { owner: of(repository), row });
  },
});

const resetRepositoryNotificationFailures = operation({
  ...resource,
  id: "resetRepositoryNotificationFailures",
  version: getRepoNotification,
  audit: ["reset_repo_notification"],
  method: "POST",
  path: "/repository/{repository}/notification/{uuid}",
  summary: "Reset the failures of a notification: too many of them disabled it.",
  success: 204,
  async handle({ subject: { repository }, params }, context) {
    const row = await getKnownNotification(context, repository, params.uuid);
    await resetNotification(context, "reset_repo_notification", { owner: of(repository), row });
  },
});

const testRepoNotification = operation({
  ...resource,
  id: "testRepoNotification",
  method: "POST",
  path: "/repository/{repository}/notification/{uuid}/test",
  summary: "Send a test event to a notification.",
  success: 201,
  result: Type.Object({}),
  async handle({ subject: { repository }, params }, context) {
    return testNotification(context, of(repository), await getKnownNotification(context, repository, params.uuid));
  },
});

const listRepoNotificationDeliveries = operation({
  ...resource,
  id: "listRepoNotificationDeliveries",
  internal: true,
  method: "GET",
  path: "/repository/{repository}/notification/{uuid}/deliveries",
  summary: "The last 100 deliveries of a notification, the latest first.",
  success: 200,
  result: Deliveries,
  handle: async ({ subject, params }, context) =>
    viewDeliveries(context, await getNotification(context, of(subject.repository), params.uuid)),
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
