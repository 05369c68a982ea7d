import type { ResultOf } from "../api/operation.ts";
import type { RuleOwner } from "../shared/owner.ts";

/** A gate as the management API shows it. */
export type Gate = ResultOf<"GET /repository/{repository}/pullgate">;

/** The rules of a gate: the findings for which it refuses images. */
export type GateRules = Gate["rules"];

/** The operations on an owner's gate, and their parameters. Each operation uses the parameter that its path contains. */
export function gateCalls({ kind, name }: RuleOwner) {
  const isOf = kind === "organization";
  return {
    get: isOf ? "GET /organization/{orgname}/pullgate" : "GET /repository/{repository}/pullgate",
    change: isOf ? "PUT /organization/{orgname}/pullgate" : "PUT /repository/{repository}/pullgate",
    remove: isOf ? "DELETE /organization/{orgname}/pullgate" : "DELETE /repository/{repository}/pullgate",
    addException: isOf
      ? "POST /organization/{orgname}/pullgate/exceptions"
      : "POST /repository/{repository}/pullgate/exceptions",
    removeException: isOf
      ? "DELETE /organization/{orgname}/pullgate/exceptions/{exception_uuid}"
      : "DELETE /repository/{repository}/pullgate/exceptions/{exception_uuid}",
    addKey: isOf ? "POST /organization/{orgname}/pullgate/keys" : "POST /repository/{repository}/pullgate/keys",
    removeKey: isOf
      ? "DELETE /organization/{orgname}/pullgate/keys/{key_uuid}"
      : "DELETE /repository/{repository}/pullgate/keys/{key_uuid}",
    params: { orgname: name, repository: name },
    affected: [
      "GET /organization/{orgname}/pullgate",
      "GET /repository/{repository}/pullgate",
      "GET /repository/{repository}/pullgate/preview",
      "GET /repository/{repository}/manifest/{manifestref}/pullgate",
    ],
  } as const;
}
