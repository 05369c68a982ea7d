import { job } from "@plimsoll/store";
import { type ExpirationContext, emitExpirations } from "./emit-expirations.ts";

/** Tells of tags that are about to expire. Recurs. */
export const emitExpirationsJob = job({
  kind: "registry.tell-expirations",
  key: () => "",
  priority: "bulk",
  timeoutSeconds: 3600,
  handle: (attempt, context: ExpirationContext) => emitExpirations(attempt, context),
});
