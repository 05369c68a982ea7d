/**
 * The notifications for events of a namespace itself: the same operations for organizations and for the user who calls. Each id and
 * path is written where it can be found.
 */

import { type CallerSubject, onSelf } from "@plimsoll/registry/access/on-account";
import { type OrganizationSubject, onOrganization } from "@plimsoll/registry/access/on-organization";
import { checkMethodAddress } from "@plimsoll/registry/events/notification-methods";
import type { NotificationOwner } from "@plimsoll/registry/events/notification-owner";
import {
  createNotification,
  deleteNotification,
  getNotification,
  notificationEntry,
  resetNotification,
  testNotification,
} from "@plimsoll/registry/events/notifications";
import { namespaceEvents } from "@plimsoll/registry/events/queries/notifications";
import { ListPageQuery } from "@plimsoll/registry/lists/list-pages";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { type OperationInput, operation, withoutNull } from "../../operation.ts";
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

type Subject = OrganizationSubject | CallerSubject;

function ownerOf(subject: Subject): NotificationOwner {
  return { kind: "namespace", namespace: "organization" in subject ? subject.organization : subject.account };
}

const Body = Type.Object({ event: Type.Enum([...namespaceEvents]), ...requestMembers });
const Sent = Type.Object({});

type Listing = OperationInput<Subject, ListPageQuery>;
type Creation = OperationInput<Subject, unknown, Static<typeof Body>>;
type One = OperationInput<Subject, unknown, unknown, { readonly uuid: string }>;

const listAll = ({ subject, query }: Listing, context: OperationContext) =>
  viewNotifications(context, ownerOf(subject), query);

const checkAddress = ({ body }: Pick<Creation, "body">, context: OperationContext) =>
  checkMethodAddress(context, body.method, body.config);

async function create({ subject, body }: Creation, context: OperationContext<"create_namespace_notification">) {
  const owner = ownerOf(subject);
  const created = await createNotification(context, owner, withoutNull(body));
  await context.log("create_namespace_notification", notificationEntry(owner, created.row));
  return viewCreated(created, context);
}

const find = ({ subject, params }: One, context: OperationContext) =>
  getNotification(context, ownerOf(subject), params.uuid);

const get = async (one: One, context: OperationContext) => viewNotification(await find(one, context), context);

async function remove(one: One, context: OperationContext<"delete_namespace_notification">) {
  await deleteNotification(context, "delete_namespace_notification", {
    owner: ownerOf(one.subject),
    row: await find(one, context),
  });
}

async function reset(one: One, context: OperationContext<"reset_namespace_notification">) {
  await resetNotification(context, "reset_namespace_notification", {
    owner: ownerOf(one.subject),
    row: await find(one, context),
  });
}

const sendTest = async (one: One, context: OperationContext) =>
  testNotification(context, ownerOf(one.subject), await find(one, context));

const listSent = async (one: One, context: OperationContext) => viewDeliveries(context, await find(one, context));

const shared = {
  tag: "namespacenotification",
  feature: "repositoryNotifications",
  internal: true,
  isOwn: true,
} as const;
const ofOrganization = { ...shared, access: onOrganization("admin") } as const;
const ofUser = { ...shared, access: onSelf() } as const;
const [organizationPath, userPath] = ["/organization/{orgname}/notifications", "/user/namespacenotifications"] as const;

const listing = { method: "GET", query: ListPageQuery, success: 200, result: Notifications, handle: listAll } as const;
const creation = {
  method: "POST",
  audit: ["create_namespace_notification"],
  body: Body,
  success: 201,
  result: NewlyCreated,
  prepare: checkAddress,
  handle: create,
} as const;
const getting = { method: "GET", success: 200, result: Notification, handle: get } as const;
const removal = { method: "DELETE", audit: ["delete_namespace_notification"], success: 204, handle: remove } as const;
const resetting = { method: "POST", audit: ["reset_namespace_notification"], success: 204, handle: reset } as const;
const testing = { method: "POST", success: 200, result: Sent, handle: sendTest } as const;
const listingSent = { method: "GET", success: 200, result: Deliveries, handle: listSent } as const;

const getOrgNotification = operation({
  ...{ ...ofOrganization, ...getting, id: "getOrgNotification", path: `${organizationPath}/{uuid}` },
  versionMembers: ["title", "event", "method", "config", "event_config", "number_of_failures"],
  summary: "One notification for events of an organization.",
});

const getUserNamespaceNotification = operation({
  ...{ ...ofUser, ...getting, id: "getUserNamespaceNotification", path: `${userPath}/{uuid}` },
  versionMembers: ["title", "event", "method", "config", "event_config", "number_of_failures"],
  summary: "One notification for events of the user's namespace.",
});

/** The notifications for events of a namespace: of its quota, and of vulnerabilities in its repositories. */
export const namespaceNotificationOperations = [
  operation({
    ...{ ...ofOrganization, ...listing, id: "listOrgNotifications", path: organizationPath },
    summary: "The notifications for events of an organization.",
  }),
  operation({
    ...{ ...ofOrganization, ...creation, id: "createOrgNotification", path: organizationPath },
    summary: "Create a notification for events of an organization.",
  }),
  getOrgNotification,
  operation({
    ...{ ...ofOrganization, ...removal, id: "deleteOrgNotification", path: `${organizationPath}/{uuid}` },
    version: getOrgNotification,
    summary: "Delete a notification of an organization.",
  }),
  operation({
    ...{ ...ofOrganization, ...resetting, id: "resetOrgNotificationFailures", path: `${organizationPath}/{uuid}` },
    version: getOrgNotification,
    summary: "Reset the failures of a notification of an organization: too many of them disabled it.",
  }),
  operation({
    ...{ ...ofOrganization, ...testing, id: "testOrgNotification", path: `${organizationPath}/{uuid}/test` },
    summary: "Send a test event to a notification of an organization.",
  }),
  operation({
    ...{ ...ofOrganization, ...listingSent, id: "listOrgNotificationDeliveries" },
    path: `${organizationPath}/{uuid}/deliveries`,
    summary: "The last 100 deliveries of a notification of an organization, the latest first.",
  }),
  operation({
    ...{ ...ofUser, ...listing, id: "listUserNamespaceNotifications", path: userPath },
    summary: "The notifications for events of the user's namespace.",
  }),
  operation({
    ...{ ...ofUser, ...creation, id: "createUserNamespaceNotification", path: userPath },
    summary: "Create a notification for events of the user's namespace.",
  }),
  getUserNamespaceNotification,
  operation({
    ...{ ...ofUser, ...removal, id: "deleteUserNamespaceNotification", path: `${userPath}/{uuid}` },
    version: getUserNamespaceNotification,
    summary: "Delete a notification of the user's namespace.",
  }),
  operation({
    ...{ ...ofUser, ...resetting, id: "resetUserNamespaceNotificationFailures", path: `${userPath}/{uuid}` },
    version: getUserNamespaceNotification,
    summary: "Reset the failures of a notification of the user's namespace: too many of them disabled it.",
  }),
  operation({
    ...{ ...ofUser, ...testing, id: "testUserNamespaceNotification", path: `${userPath}/{uuid}/test` },
    summary: "Send a test event to a notification of the user's namespace.",
  }),
  operation({
    ...{ ...ofUser, ...listingSent, id: "listUserNamespaceNotificationDeliveries" },
    path: `${userPath}/{uuid}/deliveries`,
    summary: "The last 100 deliveries of a notification of the user's namespace, the latest first.",
  }),
];
