import { repositoryRoles } from "../../access/roles.ts";
import type { RepositoryRole } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { insertGrant, listPrototypeRules, type NewGrant, type PrototypeRule } from "./queries/prototypes.ts";

/**
 * The roles to grant on a new repository. The creator always gets `creatorRole`. Each delegate gets the highest role of the prototypes for
 * this creator or, if there are none, of the prototypes for all creators.
 */
export function grantsOfNewRepository(
  prototypes: readonly PrototypeRule[],
  creatorId: string,
  creatorRole: RepositoryRole = "admin",
): readonly NewGrant[] {
  const chosen = new Map<string, NewGrant>([
    [`account ${creatorId}`, { kind: "account", id: creatorId, role: creatorRole }],
  ]);
  const lowestFirst = prototypes.toSorted((one, other) => rank(one) - rank(other));
  for (const prototype of lowestFirst) {
    const grant = grantOf(prototype);
    const applies = prototype.activating_id === null || prototype.activating_id === creatorId;
    if (applies && grant.id !== creatorId) chosen.set(`${grant.kind} ${grant.id}`, grant);
  }
  return [...chosen.values()];
}

/** Ranks prototypes for one creator above those for all, then by role. */
function rank({ activating_id, role }: PrototypeRule): number {
  return (activating_id === null ? 0 : repositoryRoles.length) + repositoryRoles.indexOf(role);
}

function grantOf({ delegate_account_id, delegate_team_id, role }: PrototypeRule): NewGrant {
  return delegate_team_id === null
    ? { kind: "account", id: delegate_account_id ?? "", role }
    : { kind: "team", id: delegate_team_id, role };
}

/** Grants the roles on a new repository: to its creator, and by the prototypes of its organization. */
export async function applyPrototypes(
  db: RegistryDb,
  repository: { readonly id: string; readonly namespace_id: string },
  { creatorId, creatorRole }: { readonly creatorId: string; readonly creatorRole?: RepositoryRole | undefined },
): Promise<void> {
  const prototypes = await listPrototypeRules(db, repository.namespace_id);
  for (const grant of grantsOfNewRepository(prototypes, creatorId, creatorRole)) {
    await insertGrant(db, repository.id, grant);
  }
}
