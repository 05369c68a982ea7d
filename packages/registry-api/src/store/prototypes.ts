import type { AccountKind, RepositoryRole } from "./tables/accounts.ts";
import type { RegistryDb } from "./tables/all.ts";

/** A prototype with the names of those it is about. */
export interface NamedPrototype {
  readonly id: string;
  readonly role: RepositoryRole;
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

/** The prototypes of an organization, the oldest first; only one where an id is given. */
export async function listPrototypes(
  db: RegistryDb,
  organizationId: string,
  id?: string,
): Promise<readonly NamedPrototype[]> {
  const ofOrganization = db
    .selectFrom("prototype")
    .leftJoin("account as activating", "activating.id", "prototype.activating_id")
    .leftJoin("account as delegate", "delegate.id", "prototype.delegate_account_id")
    .leftJoin("team", "team.id", "prototype.delegate_team_id")
    .select([
      "prototype.id",
      "prototype.role",
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
    .where("prototype.organization_id", "=", organizationId)
    .orderBy("prototype.created_at")
    .orderBy("prototype.id");
  const rows = await (id === undefined ? ofOrganization : ofOrganization.where("prototype.id", "=", id)).execute();
  return rows.map((row) => {
    const { activating_id, activating_kind, activating_username, activating_email } = row;
    const { delegate_id, delegate_kind, delegate_username, delegate_email, team_id, team_name } = row;
    const activating = accountIn(activating_id, activating_kind, activating_username, activating_email);
    const delegate = accountIn(delegate_id, delegate_kind, delegate_username, delegate_email);
    const team = { kind: "team", id: team_id ?? "", name: team_name ?? "" } as const;
    return { id: row.id, role: row.role, ...(activating && { activating }), delegate: delegate ?? team };
  });
}

function accountIn(
  id: string | null,
  kind: AccountKind | null,
  username: string | null,
  email: string | null,
): PrototypeAccount | undefined {
  return id === null || kind === null || username === null ? undefined : { id, kind, username, email };
}
