import { job } from "@plimsoll/store";
import { Type } from "typebox";
import { type DeliveryContext, deliverEvent, giveUpDelivery } from "./deliver-event.ts";

/** Delivers one event to one receiver. Events that are older than a day are not delivered. */
export const deliverNotificationJob = job({
  kind: "registry.deliver-notification",
  payload: Type.Object({
    notificationId: Type.String(),
    event: Type.Record(Type.String(), Type.Unknown()),
    isTest: Type.Optional(Type.Boolean()),
  }),
  tenant: ({ event: { namespace } }) => String(namespace ?? ""),
  concurrency: 8,
  timeoutSeconds: 60,
  maxAttempts: 5,
  backOff: { firstMs: 30_000, longestMs: 600_000 },
  staleAfterSeconds: 86_400,
  handle: (attempt, context: DeliveryContext) => deliverEvent(attempt, context),
  onGivenUp: giveUpDelivery,
});
