import type { InferResult, Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../../lists/list-pages.ts";
import type { AccountKind, PrototypeTable, RepositoryRole } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** A prototype with the names of its creator and its delegate. */
export interface NamedPrototype {
  readonly id: string;
  readonly role: RepositoryRole;
  readonly created_at: number;
  readonly activating?: PrototypeAccount;
  readonly delegate: PrototypeAccount | PrototypeTeam;
}

/** An account in a prototype. */
export interface PrototypeAccount {
  readonly kind: AccountKind;
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
}

/** A team in a prototype. */
export interface PrototypeTeam {
  readonly kind: "team";
  readonly id: string;
  readonly name: string;
}

/** Some prototypes of an organization, the oldest first. */
export async function listPrototypes(
  db: RegistryDb,
  organizationId: string,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly NamedPrototype[]> {
  const rows = await prototypesOf(db, organizationId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("prototype.created_at", "prototype.id"), ">", tuple(...after)))
    .orderBy("prototype.created_at")
    .orderBy("prototype.id")
    .limit(limit)
    .execute();
  return rows.map(named);
}

/** The prototype of an organization with that id. */
export async function findPrototype(
  db: RegistryDb,
  organizationId: string,
  id: string,
): Promise<NamedPrototype | undefined> {
  const row = await prototypesOf(db, organizationId).where("prototype.id", "=", id).executeTakeFirst();
  return row && named(row);
}

function prototypesOf(db: RegistryDb, organizationId: string) {
  return db
    .selectFrom("prototype")
    .leftJoin("account as activating", "activating.id", "prototype.activating_id")
    .leftJoin("account as delegate", "delegate.id", "prototype.delegate_account_id")
    .leftJoin("team", "team.id", "prototype.delegate_team_id")
    .select([
      "prototype.id",
      "prototype.role",
      "prototype.created_at",
      "activating.id as activating_id",
      "activating.kind as activating_kind",
      "activating.username as activating_username",
      "activating.email as activating_email",
      "delegate.id as delegate_id",
      "delegate.kind as delegate_kind",
      "delegate.username as delegate_username",
      "delegate.email as delegate_email",
      "team.id as team_id",
      "team.name as team_name",
    ])
    .where("prototype.organization_id", "=", organizationId);
}

function named(row: InferResult<ReturnType<typeof prototypesOf>>[number]): NamedPrototype {
  const { id, role, created_at, activating_id, activating_kind, activating_username, activating_email } = row;
  const { delegate_id, delegate_kind, delegate_username, delegate_email, team_id, team_name } = row;
  const activating = accountIn({
    id: activating_id,
    kind: activating_kind,
    username: activating_username,
    email: activating_email,
  });
  const delegate = accountIn({
    id: delegate_id,
    kind: delegate_kind,
    username: delegate_username,
    email: delegate_email,
  });
  const team = { kind: "team", id: team_id ?? "", name: team_name ?? "" } as const;
  return { id, role, created_at, activating, delegate: delegate ?? team };
}

interface AccountColumns {
  readonly id: string | null;
  readonly kind: AccountKind | null;
  readonly username: string | null;
  readonly email: string | null;
}

function accountIn({ id, kind, username, email }: AccountColumns): PrototypeAccount | undefined {
  return id === null || kind === null || username === null ? undefined : { id, kind, username, email };
}

/** The columns of a prototype that decide which role is granted. */
export type PrototypeRule = Omit<Selectable<PrototypeTable>, "id" | "organization_id" | "created_at">;

/** The account or team that gets a role on a new repository. */
export type NewGrant =
  | { readonly kind: "account"; readonly id: string; readonly role: RepositoryRole }
  | { readonly kind: "team"; readonly id: string; readonly role: RepositoryRole };

/** All prototypes of an organization. */
export function listPrototypeRules(db: RegistryDb, organizationId: string) {
  return db
    .selectFrom("prototype")
    .select(["activating_id", "delegate_account_id", "delegate_team_id", "role"])
    .where("organization_id", "=", organizationId)
    .execute();
}

/** Grants an account or a team a role on a new repository. */
export async function insertGrant(db: RegistryDb, repositoryId: string, { kind, id, role }: NewGrant): Promise<void> {
  const grant = { repository_id: repositoryId, role };
  await (kind === "team"
    ? db.insertInto("team_permission").values({ ...grant, team_id: id })
    : db.insertInto("account_permission").values({ ...grant, account_id: id })
  ).execute();
}

/** Changes the role that a default permission grants. */
export async function updatePrototype(db: RegistryDb, id: string, role: RepositoryRole): Promise<void> {
  await db.updateTable("prototype").set({ role }).where("id", "=", id).execute();
}

/** Deletes a default permission. */
export async function removePrototype(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("prototype").where("id", "=", id).execute();
}

/** Stores a default permission. */
export async function insertPrototype(db: RegistryDb, prototype: NewRow<"prototype">): Promise<void> {
  await db.insertInto("prototype").values(prototype).execute();
}
