import { Type } from "typebox";

/** The body of a request to a webhook. */
export const NotificationWebhook = Type.Object(
  {
    notification_id: Type.String({ format: "uuid" }),
    callback: Type.String({ format: "uri", description: "The address of the notifications, which are paged." }),
  },
  { title: "notification_webhook" },
);
