import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { usePages } from "../api/use-pages.ts";

/** A rule as the management API shows it. */
export type PruneRule = ResultOf<"GET /repository/{repository}/autoprunepolicy/">["policies"][number];

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
  const ofOthers = isRepository
    ? "GET /repository/{repository}/autoprunepolicy/"
    : "GET /organization/{orgname}/autoprunepolicy/";
  const given = { params: paramsOf(owner), query: {} };
  return usePages(isUser ? "GET /user/autoprunepolicy/" : ofOthers, given);
}

/** Changes of an owner's rules. */
export function usePruneChanges(owner: PruneOwner) {
  const [isUser, isRepository] = [owner.kind === "user", owner.kind === "repository"];
  const affected = [
    "GET /organization/{orgname}/autoprunepolicy/",
    "GET /repository/{repository}/autoprunepolicy/",
    "GET /user/autoprunepolicy/",
    "GET /repository/{repository}/autoprunepreview",
  ] as const;
  const create = isRepository
    ? "POST /repository/{repository}/autoprunepolicy/"
    : "POST /organization/{orgname}/autoprunepolicy/";
  const remove = isRepository
    ? "DELETE /repository/{repository}/autoprunepolicy/{policy_uuid}"
    : "DELETE /organization/{orgname}/autoprunepolicy/{policy_uuid}";
  const created = useChange(isUser ? "POST /user/autoprunepolicy/" : create, affected);
  const deleted = useChange(isUser ? "DELETE /user/autoprunepolicy/{policy_uuid}" : remove, affected);
  return { created, deleted, params: paramsOf(owner) };
}
