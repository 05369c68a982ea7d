import {
  addRepositoryIgnoreRule,
  getRepoManifestSecurity,
  listOrganizationIgnoreRules,
  listRepositoryIgnoreRules,
  removeOrganizationIgnoreRule,
  removeRepositoryIgnoreRule,
} from "../api/generated/secscan.ts";
import { listRepoTags } from "../api/generated/tag.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";

/** A rule in a list. */
export type Rule = ResultOf<typeof listRepositoryIgnoreRules>["rules"][number];

/** The owner of the images that rules apply to: a repository, `NAMESPACE/NAME`, or an organization. */
export type RuleOwner = { readonly repository: string } | { readonly organization: string };

/** Queries the rules of an owner. */
export function useRules(owner: RuleOwner) {
  const isOrganization = "organization" in owner;
  const ofOrganization = useOperation(
    listOrganizationIgnoreRules,
    { params: { orgname: isOrganization ? owner.organization : "" } },
    { enabled: isOrganization },
  );
  const ofRepository = useOperation(
    listRepositoryIgnoreRules,
    { params: { repository: isOrganization ? "" : owner.repository } },
    { enabled: !isOrganization },
  );
  return isOrganization ? ofOrganization : ofRepository;
}

/** The operations whose answers a change of a rule makes stale. */
export const affectedByRules = [
  listOrganizationIgnoreRules,
  listRepositoryIgnoreRules,
  getRepoManifestSecurity,
  listRepoTags,
];

/** Adds rules of a repository. */
export function useNewRule() {
  return useChange(addRepositoryIgnoreRule, affectedByRules);
}

/** Removes rules of a repository or of an organization. */
export function useRuleRemoval() {
  const ofOrganization = useChange(removeOrganizationIgnoreRule, affectedByRules);
  const ofRepository = useChange(removeRepositoryIgnoreRule, affectedByRules);
  return { ofOrganization, ofRepository };
}
