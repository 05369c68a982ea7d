import { job } from "@plimsoll/store";
import { Type } from "typebox";
import { emitQuotaEvents, type QuotaEventContext } from "./emit-quota-events.ts";

/** Emits an event for the notifications of a namespace and its repositories when a limit is reached. Events older than a day are dropped. */
export const emitQuotaEventsJob = job({
  kind: "registry.emit-quota-events",
  payload: Type.Object({
    namespaceId: Type.String(),
    type: Type.Enum(["Warning", "Reject"]),
    usedBytes: Type.Integer(),
  }),
  tenant: ({ namespaceId }) => namespaceId,
  staleAfterSeconds: 86_400,
  handle: (attempt, context: QuotaEventContext) => emitQuotaEvents(attempt, context),
});
