import { job } from "@plimsoll/store";
import { type ExpirationContext, tellExpirations } from "./tell-expirations.ts";

/** Tells of tags that are about to expire. Recurs. */
export const tellExpirationsJob = job({
  kind: "registry.tell-expirations",
  key: () => "",
  priority: "bulk",
  timeoutSeconds: 3600,
  handle: (attempt, context: ExpirationContext) => tellExpirations(attempt, context),
});
