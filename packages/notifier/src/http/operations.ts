import { createHash } from "node:crypto";
import {
  DigestText,
  DistributionDocument,
  PackageDocument,
  RepositoryDocument,
  type ScannerOperation,
  scannerOperation,
} from "@plimsoll/scanner-api";
import { Type } from "typebox";
import type { GetPageOptions, NotificationService } from "../notification-service.ts";

/** The context of the notifier's operations. */
export interface NotifierContext {
  readonly notifications: NotificationService;
}

const text = Type.Optional(Type.String());

const NotificationDocument = Type.Object(
  {
    id: Type.String(),
    manifest: DigestText,
    reason: Type.Enum(["added", "removed"]),
    vulnerability: Type.Object({
      name: Type.String(),
      description: text,
      links: text,
      normalized_severity: Type.Enum(["Unknown", "Negligible", "Low", "Medium", "High", "Critical"]),
      fixed_in_version: text,
      package: Type.Optional(PackageDocument),
      distribution: Type.Optional(DistributionDocument),
      repository: Type.Optional(RepositoryDocument),
    }),
  },
  { title: "notification" },
);

const operation = scannerOperation<NotifierContext>();

const NotificationPageDocument = Type.Object(
  {
    page: Type.Object({
      size: Type.Integer({ minimum: 0, description: "How many notifications are in this page." }),
      next: Type.Optional(Type.String({ description: "The token of the next page; absent on the last page." })),
    }),
    notifications: Type.Array(NotificationDocument),
  },
  { title: "notification_page" },
);

const SetPath = Type.Object({
  id: Type.String({ description: "A UUID.", pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" }),
});

const PageQuery = Type.Object({
  page_size: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 ** 31 - 1,
      description: "The most notifications of a page; 0 means the default.",
    }),
  ),
  next: Type.Optional(Type.String({ maxLength: 1000, description: "page.next of the page before." })),
});

const getNotificationPage = operation({
  id: "getNotificationPage",
  method: "GET",
  path: "/notifier/api/v1/notification/{id}",
  summary: "Get a page of a notification set.",
  params: SetPath,
  query: PageQuery,
  result: NotificationPageDocument,
  success: 200,
  refusals: [400, 415],
  headers: { Etag: "Changes with the page." },
  unchanged: 304,
  trailer: true,
  handle: ({ params, query }, { notifications }) =>
    notifications.getPage(params.id, pageOptions(query.page_size, query.next)),
  tagOf: (_, __, page) => createHash("sha256").update(JSON.stringify(page)).digest("hex"),
});

const deleteNotificationSet = operation({
  id: "deleteNotificationSet",
  method: "DELETE",
  path: "/notifier/api/v1/notification/{id}",
  summary: "Delete a notification set with all its notifications.",
  params: SetPath,
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ params }, { notifications }) => {
    await notifications.deleteSet(params.id);
  },
});

/** The operations of the notifier. */
export const notifierOperations: readonly ScannerOperation[] = [deleteNotificationSet, getNotificationPage];

function pageOptions(pageSize = 0, next = ""): GetPageOptions {
  return { pageSize: pageSize > 0 ? pageSize : undefined, next: next || undefined };
}
