import {
  createOrganizationAutoPrunePolicy,
  createRepositoryAutoPrunePolicy,
  createUserAutoPrunePolicy,
  deleteOrganizationAutoPrunePolicy,
  deleteRepositoryAutoPrunePolicy,
  deleteUserAutoPrunePolicy,
  listOrganizationAutoPrunePolicies,
  listRepositoryAutoPrunePolicies,
  listUserAutoPrunePolicies,
  previewRepositoryAutoPrune,
} from "../api/generated/policy.ts";
import { either, type ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { usePages } from "../api/use-pages.ts";

/** A rule as the management API shows it. */
export type PruneRule = ResultOf<typeof listRepositoryAutoPrunePolicies>["policies"][number];

/** The owner of rules: an organization, a repository (`NAMESPACE/NAME`), or the visitor. */
export type PruneOwner =
  | { readonly kind: "organization"; readonly name: string }
  | { readonly kind: "repository"; readonly name: string }
  | { readonly kind: "user" };

/** The parameters of an owner's operations. Each operation uses the parameter that its path contains. */
function paramsOf(owner: PruneOwner) {
  const name = owner.kind === "user" ? "" : owner.name;
  return { orgname: name, repository: name };
}

/** Queries the rules of an owner. */
export function usePruneRules(owner: PruneOwner) {
  const [isUser, isRepository] = [owner.kind === "user", owner.kind === "repository"];
  const ofOthers = either(
    { isFirst: isRepository },
    listRepositoryAutoPrunePolicies,
    listOrganizationAutoPrunePolicies,
  );
  const given = { params: paramsOf(owner), query: {} };
  return usePages(either({ isFirst: isUser }, listUserAutoPrunePolicies, ofOthers), given);
}

/** Changes of an owner's rules. */
export function usePruneChanges(owner: PruneOwner) {
  const [isUser, isRepository] = [owner.kind === "user", owner.kind === "repository"];
  const affected = [
    listOrganizationAutoPrunePolicies,
    listRepositoryAutoPrunePolicies,
    listUserAutoPrunePolicies,
    previewRepositoryAutoPrune,
  ];
  const create = either({ isFirst: isRepository }, createRepositoryAutoPrunePolicy, createOrganizationAutoPrunePolicy);
  const remove = either({ isFirst: isRepository }, deleteRepositoryAutoPrunePolicy, deleteOrganizationAutoPrunePolicy);
  const created = useChange(either({ isFirst: isUser }, createUserAutoPrunePolicy, create), affected);
  const deleted = useChange(either({ isFirst: isUser }, deleteUserAutoPrunePolicy, remove), affected);
  return { created, deleted, params: paramsOf(owner) };
}
