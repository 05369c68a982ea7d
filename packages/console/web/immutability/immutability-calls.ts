import type { ResultOf } from "../api/operation.ts";
import type { RuleOwner } from "../shared/owner.ts";

/** A policy as the management API shows it. */
export type Policy = ResultOf<"GET /repository/{repository}/immutabilitypolicy/">["policies"][number];

/** The operations on an owner's policies, and their parameters. Each operation uses the parameter that its path contains. */
export function policyCalls({ kind, name }: RuleOwner) {
  const isOf = kind === "organization";
  return {
    list: isOf ? "GET /organization/{orgname}/immutabilitypolicy/" : "GET /repository/{repository}/immutabilitypolicy/",
    create: isOf
      ? "POST /organization/{orgname}/immutabilitypolicy/"
      : "POST /repository/{repository}/immutabilitypolicy/",
    remove: isOf
      ? "DELETE /organization/{orgname}/immutabilitypolicy/{policy_uuid}"
      : "DELETE /repository/{repository}/immutabilitypolicy/{policy_uuid}",
    params: { orgname: name, repository: name },
    affected: ["GET /organization/{orgname}/immutabilitypolicy/", "GET /repository/{repository}/immutabilitypolicy/"],
  } as const;
}
