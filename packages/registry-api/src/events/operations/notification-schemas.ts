import { openConfig } from "@plimsoll/registry/events/event-config";
import { notificationMethods } from "@plimsoll/registry/events/notification-methods";
import type { NotificationOwner } from "@plimsoll/registry/events/notification-owner";
import { type CreatedNotification, listNotifications } from "@plimsoll/registry/events/notifications";
import { type DeliveryRow, listDeliveries } from "@plimsoll/registry/events/queries/deliveries";
import type { NotificationRow } from "@plimsoll/registry/events/queries/notifications";
import { maxTemplateLength } from "@plimsoll/registry/events/render-template";
import { type ListPageQuery, nextPage } from "@plimsoll/registry/lists/list-pages";
import { formatDate } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../context.ts";
import { freeMembers } from "../../operation.ts";

const Config = Type.Record(Type.String(), Type.Unknown());

/** A notification, of a repository or of a namespace, as clients see it. */
export const Notification = Type.Object({
  uuid: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
  event: Type.String(),
  method: Type.String(),
  config: Config,
  eventConfig: Config,
  event_config: Type.Record(Type.String(), Type.Unknown(), { description: "The same as eventConfig" }),
  number_of_failures: Type.Integer(),
});
export type Notification = Static<typeof Notification>;

/** The members of the request for a new notification, besides the event. */
export const requestMembers = {
  method: Type.Enum([...notificationMethods]),
  config: freeMembers(4 * maxTemplateLength), // a template, with each of its quotation marks escaped, and an address
  eventConfig: freeMembers(maxTemplateLength),
  title: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
};

/** A page of notifications. */
export const Notifications = Type.Object({ notifications: Type.Array(Notification), ...nextPage });

/** A notification that was just created. */
export const NewlyCreated = Type.Object({
  ...Notification.properties,
  secret: Type.Optional(
    Type.String({ description: "The secret that signs the deliveries of a webhook: only shown here" }),
  ),
});
export type NewlyCreated = Static<typeof NewlyCreated>;

const Delivery = Type.Object({
  id: Type.String({ description: "The header webhook-id" }),
  state: Type.Enum(["delivered", "retrying", "failed", "dropped"]),
  attempts: Type.Integer(),
  detail: Type.String({ description: "The receiver's response, or the reason why it was not reached" }),
  is_test: Type.Boolean(),
  began: Type.String(),
  changed: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
});

/** The last deliveries of a notification. */
export const Deliveries = Type.Object({ deliveries: Type.Array(Delivery) });

/** A stored notification as clients see it. */
export function viewNotification(row: NotificationRow, { secrets }: Pick<OperationContext, "secrets">): Notification {
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

/** A notification that was just created, with its secret if it has one. */
export function viewCreated({ row, secret }: CreatedNotification, context: OperationContext): NewlyCreated {
  return { ...viewNotification(row, context), secret };
}

/** A page of the notifications of an owner as clients see them. */
export async function viewNotifications(
  context: OperationContext,
  owner: NotificationOwner,
  query: ListPageQuery,
): Promise<Static<typeof Notifications>> {
  const { rows, ...next } = await listNotifications(context, owner, query);
  return { notifications: rows.map((row) => viewNotification(row, context)), ...next };
}

/** The last deliveries of a notification as clients see them. */
export async function viewDeliveries(
  { db }: Pick<OperationContext, "db">,
  { id }: Pick<NotificationRow, "id">,
): Promise<Static<typeof Deliveries>> {
  return { deliveries: (await listDeliveries(db, id)).map(viewDelivery) };
}

function viewDelivery(row: DeliveryRow): Static<typeof Delivery> {
  const { id, state, attempts, detail, is_test, began_at, changed_at, payload } = row;
  const times = { began: formatDate(began_at), changed: formatDate(changed_at) };
  const event = JSON.parse(payload) as Record<string, unknown>;
  return { id, state, attempts, detail, is_test: is_test === 1, ...times, payload: event };
}
