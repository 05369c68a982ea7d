import type { QuotaRow, QuotaLimit as StoredLimit } from "@plimsoll/registry/organizations/quotas/queries/quotas";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { Quota, QuotaLimit, quotaView } from "../views.ts";

const limitBytes = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** The bytes of a quota that is created without a number in a registry without a default. */
export const unsetQuotaBytes = 10 * 1024 ** 3;

/** The bytes of a quota, optional in requests. */
export const DefaultedLimitBytes = Type.Integer({
  ...limitBytes,
  description: "Where absent: the registry's default for namespaces, or 10 GiB where it has none",
});

/** Clients write the first letter as a capital or not. */
const type = Type.Enum(["Warning", "Reject", "warning", "reject"]);
const percent = Type.Integer({ minimum: 1, maximum: 100, description: "Percent of the quota" });

/** The parts of requests and responses about quotas, for all namespaces. */
export const NewQuota = Type.Object({ limit_bytes: limitBytes });
export const QuotaChange = Type.Object({ limit_bytes: Type.Optional(limitBytes) });
export type QuotaChange = Static<typeof QuotaChange>;
export const NewQuotaLimit = Type.Object({ type, threshold_percent: percent });
export const QuotaLimitChange = Type.Object({
  type: Type.Optional(type),
  threshold_percent: Type.Optional(percent),
});
export const Quotas = Type.Array(Quota);
export const QuotaLimits = Type.Array(QuotaLimit);
export const Created = Type.Literal("Created");

/** A quota as clients see it. */
export function viewQuota(quota: QuotaRow, { settings }: OperationContext): Quota {
  return quotaView(quota, settings.defaultQuotaBytes);
}

/** The type of a limit in either spelling. */
export function limitTypeOf(type: "Warning" | "Reject" | "warning" | "reject"): StoredLimit["type"] {
  return type.toLowerCase() === "reject" ? "Reject" : "Warning";
}
