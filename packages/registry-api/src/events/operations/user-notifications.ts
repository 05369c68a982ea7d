import { onSelf } from "@plimsoll/registry/access/on-account";
import { onRepository } from "@plimsoll/registry/access/on-repository";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { notFound, notInList } from "@plimsoll/registry/errors";
import { requestEmailConsent } from "@plimsoll/registry/events/notification-methods";
import {
  dismissNotification,
  findNotification,
  findRepositoryEmail,
  listNotificationsOf,
  type RepositoryEmail,
} from "@plimsoll/registry/events/queries/notifications";
import type { UserNotificationTable } from "@plimsoll/registry/store/tables/accounts";
import { formatDate } from "@plimsoll/registry/values/dates";
import type { Selectable } from "kysely";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { operation } from "../../operation.ts";

const userNotificationCommon = {
  tag: "user",
  internal: true,
  access: onSelf("user:admin"),
  about: { uuid: "The id of the notification" },
} as const;

const UserNotification = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  created: Type.String(),
  metadata: Type.Object({}, { additionalProperties: true }),
  dismissed: Type.Boolean(),
});

const listUserNotifications = operation({
  ...userNotificationCommon,
  id: "listUserNotifications",
  method: "GET",
  path: "/user/notifications",
  summary: "The caller's notices in the registry that were not dismissed, the newest first.",
  query: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "Default: 5" })),
  }),
  success: 200,
  result: Type.Object({ notifications: Type.Array(UserNotification), additional: Type.Boolean() }),
  async handle({ subject, query: { page = 0, limit = 5 } }, { db }) {
    const rows = await listNotificationsOf(db, subject.account.id, { offset: page * limit, limit: limit + 1 });
    return { notifications: rows.slice(0, limit).map(notificationView), additional: rows.length > limit };
  },
});

const getUserNotification = operation({
  ...userNotificationCommon,
  id: "getUserNotification",
  versionMembers: ["dismissed"],
  method: "GET",
  path: "/user/notifications/{uuid}",
  summary: "One notification of the caller.",
  success: 200,
  result: UserNotification,
  handle: async ({ subject, params }, { db }) =>
    notificationView(await getNotification(db, subject.account.id, params.uuid)),
});

const updateUserNotification = operation({
  ...userNotificationCommon,
  id: "updateUserNotification",
  version: getUserNotification,
  method: "PUT",
  path: "/user/notifications/{uuid}",
  summary: "Dismiss a notification, or show it again.",
  body: Type.Object({ dismissed: Type.Optional(Type.Boolean()) }),
  success: 200,
  result: UserNotification,
  async handle({ subject, params, body }, { db }) {
    const row = await getNotification(db, subject.account.id, params.uuid);
    const dismissed = (body.dismissed ?? false) ? 1 : 0;
    await dismissNotification(db, row.id, dismissed);
    return notificationView({ ...row, dismissed });
  },
});

async function getNotification(db: OperationContext["db"], accountId: string, id = "") {
  const row = await findNotification(db, accountId, id);
  if (row === undefined) throw notInList("You have no notification with that uuid");
  return row;
}

function notificationView({ id, kind, created_at, metadata, dismissed }: Selectable<UserNotificationTable>) {
  return {
    id,
    kind,
    created: formatDate(created_at),
    metadata: JSON.parse(metadata) as object,
    dismissed: dismissed === 1,
  };
}

/** Operations on the notifications that users see in the registry. */
export const userNotificationOperations = [listUserNotifications, getUserNotification, updateUserNotification];

const AuthorizedEmail = Type.Object({
  email: Type.String(),
  repository: Type.String(),
  namespace: Type.String(),
  confirmed: Type.Boolean({ description: "Whether notifications may be sent to the address" }),
});

const repositoryEmailCommon = {
  tag: "repoemail",
  path: "/repository/{repository}/authorizedemail/{email}",
  internal: true,
  access: onRepository("admin"),
  success: 200,
  result: AuthorizedEmail,
} as const;

const checkRepoEmailAuthorized = operation({
  ...repositoryEmailCommon,
  id: "checkRepoEmailAuthorized",
  method: "GET",
  summary: "Whether an email address has agreed to the repository's notifications.",
  async handle({ subject: { repository }, params: { email = "" } }, context) {
    const found = await findRepositoryEmail(context, repository, email);
    if (found === undefined)
      throw notFound(
        "The address was not asked for its consent to notifications of the repository: request it with POST",
      );
    return view(repository, found);
  },
});

const sendAuthorizeRepoEmail = operation({
  ...repositoryEmailCommon,
  id: "sendAuthorizeRepoEmail",
  method: "POST",
  summary: "Ask an email address for its consent to the repository's notifications.",
  handle: async ({ subject: { repository }, params: { email = "" } }, context) =>
    view(repository, await requestEmailConsent(context, repository, email)),
});

function view(
  { name, namespace }: ImageRepository,
  { email, confirmed }: RepositoryEmail,
): Static<typeof AuthorizedEmail> {
  return { email, repository: name, namespace, confirmed };
}

/** The operations on e-mail addresses for a repository's notifications. */
export const repositoryEmailOperations = [checkRepoEmailAuthorized, sendAuthorizeRepoEmail];
