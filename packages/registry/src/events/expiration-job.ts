import { job } from "@plimsoll/store";
import { type ExpirationContext, emitExpirations } from "./emit-expirations.ts";

/** Emits events about tags that expire soon. Recurs. */
export const emitExpirationsJob = job({
  kind: "registry.emit-expirations",
  key: () => "",
  priority: "bulk",
  timeoutSeconds: 3600,
  handle: (attempt, context: ExpirationContext) => emitExpirations(attempt, context),
});
