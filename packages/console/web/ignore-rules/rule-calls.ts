import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";

/** A rule in a list. */
export type Rule = ResultOf<"GET /repository/{repository}/ignorerules">["rules"][number];

/** The owner of the images that rules apply to: a repository, `NAMESPACE/NAME`, or an organization. */
export type RuleOwner = { readonly repository: string } | { readonly organization: string };

/** Queries the rules of an owner. */
export function useRules(owner: RuleOwner) {
  const isOrganization = "organization" in owner;
  const ofOrganization = useOperation(
    "GET /organization/{orgname}/ignorerules",
    { params: { orgname: isOrganization ? owner.organization : "" } },
    { enabled: isOrganization },
  );
  const ofRepository = useOperation(
    "GET /repository/{repository}/ignorerules",
    { params: { repository: isOrganization ? "" : owner.repository } },
    { enabled: !isOrganization },
  );
  return isOrganization ? ofOrganization : ofRepository;
}

/** The operations whose answers a change of a rule makes stale. */
export const affectedByRules = [
  "GET /organization/{orgname}/ignorerules",
  "GET /repository/{repository}/ignorerules",
  "GET /repository/{repository}/manifest/{manifestref}/security",
  "GET /repository/{repository}/tag/",
] as const;

/** Adds rules of a repository. */
export function useNewRule() {
  return useChange("POST /repository/{repository}/ignorerules", affectedByRules);
}

/** Removes rules of a repository or of an organization. */
export function useRuleRemoval() {
  const ofOrganization = useChange("DELETE /organization/{orgname}/ignorerules/{rule_uuid}", affectedByRules);
  const ofRepository = useChange("DELETE /repository/{repository}/ignorerules/{rule_uuid}", affectedByRules);
  return { ofOrganization, ofRepository };
}
