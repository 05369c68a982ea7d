import { randomUUID } from "node:crypto";
import { accountOf } from "../../access/principal.ts";
import { type AccountRow, findTeam } from "../../access/queries.ts";
import { repositoryRoles } from "../../access/roles.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notInList } from "../../errors.ts";
import type { RepositoryRole } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { findGrantee } from "../teams/queries/organization-members.ts";
import {
  findPrototype,
  insertGrant,
  insertPrototype,
  listPrototypeRules,
  type NamedPrototype,
  type NewGrant,
  type PrototypeRule,
  removePrototype,
  updatePrototype,
} from "./queries/prototypes.ts";

/** A prototype to create. */
interface NewPrototype {
  readonly organization: AccountRow;
  readonly role: RepositoryRole;
  readonly delegate: { readonly kind: "user" | "team"; readonly name: string };
  readonly activatingName?: string | undefined;
  readonly now: number;
}

/** Adds a prototype, also one with the same values as another. @throws RegistryError `invalid_request` for unknown names */
export async function createPrototype(db: RegistryDb, wanted: NewPrototype): Promise<NamedPrototype> {
  const { organization, role, activatingName, now } = wanted;
  const activating = activatingName === undefined ? null : await findGrantee(db, organization.id, activatingName);
  if (activating === undefined) throw invalidRequest("Unknown activating user");
  const id = randomUUID();
  await insertPrototype(db, {
    id,
    organization_id: organization.id,
    activating_id: activating?.id ?? null,
    ...(await getDelegate(db, wanted)),
    role,
    created_at: now,
  });
  return getPrototype(db, organization, id);
}

async function getDelegate(db: RegistryDb, { organization, delegate: { kind, name } }: NewPrototype) {
  const find = kind === "user" ? findGrantee : findTeam;
  const found = await find(db, organization.id, name);
  if (found === undefined) throw invalidRequest("Missing delegate user or team");
  return kind === "user"
    ? { delegate_account_id: found.id, delegate_team_id: null }
    : { delegate_account_id: null, delegate_team_id: found.id };
}

/** The prototype of an organization with that id. @throws RegistryError `not_found` */
export async function getPrototype(db: RegistryDb, organization: AccountRow, id: string): Promise<NamedPrototype> {
  const prototype = await findPrototype(db, organization.id, id);
  if (prototype === undefined) throw notInList("The organization has no default permission with that id");
  return prototype;
}

/** Changes the role that a prototype grants. Undefined: nothing changes. @throws RegistryError `not_found` */
export async function changePrototype(
  { db, log, principal }: Pick<CallContext<"modify_prototype_permission">, "db" | "log" | "principal">,
  organization: AccountRow,
  { id, role }: { readonly id: string; readonly role: RepositoryRole | undefined },
): Promise<NamedPrototype> {
  const before = await getPrototype(db, organization, id);
  if (role === undefined) return before;
  const after = { ...before, role };
  await updatePrototype(db, id, role);
  const metadata = prototypeMetadata(after, accountOf(principal)?.username);
  await log("modify_prototype_permission", { ...metadata, original_role: before.role });
  return after;
}

/** Deletes a prototype; what it granted stays. @throws RegistryError `not_found` */
export async function deletePrototype(
  { db, log, principal }: Pick<CallContext<"delete_prototype_permission">, "db" | "log" | "principal">,
  organization: AccountRow,
  id: string,
): Promise<void> {
  const prototype = await getPrototype(db, organization, id);
  await removePrototype(db, id);
  await log("delete_prototype_permission", prototypeMetadata(prototype, accountOf(principal)?.username));
}

/** The metadata of a prototype in the usage log. */
export function prototypeMetadata(prototype: NamedPrototype, callerName: string | undefined) {
  const { id, role, activating, delegate } = prototype;
  return {
    prototypeid: id,
    username: callerName,
    activating_username: activating?.username ?? null,
    role,
    ...(delegate.kind === "team" ? { delegate_team: delegate.name } : { delegate_user: delegate.username }),
  };
}

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
