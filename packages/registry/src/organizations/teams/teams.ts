import { randomUUID } from "node:crypto";
import { accountOf } from "../../access/principal.ts";
import { type AccountRow, findTeam, type TeamRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import type { TeamRole } from "../../store/tables/accounts.ts";
import { isNamespaceName } from "../../values/names.ts";
import { judgeLossNow } from "./members.ts";
import { insertTeam, removeTeam, updateTeam } from "./queries/teams.ts";

/** The wanted state of a team. */
export interface WantedTeam {
  readonly organization: AccountRow;
  readonly name: string;
  readonly role: TeamRole;
  /** Absent: the description does not change. */
  readonly description?: string | undefined;
}

/** Creates a team, or changes an existing one. @throws RegistryError `invalid_request` */
export async function putTeam(
  context: CallContext<"org_create_team" | "org_set_team_description" | "org_set_team_role">,
  wanted: WantedTeam,
): Promise<{ readonly team: TeamRow; readonly isNew: boolean }> {
  const { db } = context;
  const { organization, name } = wanted;
  const exists = (await findTeam(db, organization.id, name)) !== undefined;
  const created = exists ? undefined : await createTeam(context, wanted);
  if (created !== undefined) return { team: created, isNew: true };
  const existing = await findTeam(db, organization.id, name); // another request may have created it in the meantime
  if (existing === undefined)
    throw notFound(`The team ${name} has just been deleted: send the request again to create it`);
  return { team: await changeTeam(context, existing, wanted), isNew: false };
}

async function createTeam(context: CallContext<"org_create_team">, wanted: WantedTeam): Promise<TeamRow | undefined> {
  const { db, now, log } = context;
  const { organization, name, role, description = "" } = wanted;
  if (!isNamespaceName(name)) {
    throw invalidRequest(
      `Invalid team name ${name.slice(0, 300)}: expected 2 to 255 lower-case letters and digits, joined by single . _ or -`,
    );
  }
  const team = { id: randomUUID(), organization_id: organization.id, name, role, description, created_at: now };
  const created = await insertTeam(db, team);
  if (created !== undefined) await log("org_create_team", { team: name });
  return created;
}

async function changeTeam(
  context: CallContext<"org_set_team_description" | "org_set_team_role">,
  team: TeamRow,
  wanted: WantedTeam,
): Promise<TeamRow> {
  const { db, log } = context;
  const { organization, role, description = team.description } = wanted;
  if (team.role === "admin" && role !== "admin") await checkAdminsStay(context, { organization, team }, "demote");
  await updateTeam(db, team.id, { role, description });
  if (description !== team.description) await log("org_set_team_description", { team: team.name, description });
  if (role !== team.role) await log("org_set_team_role", { team: team.name, role });
  return { ...team, role, description };
}

/** Deletes a team with its members, invites and permissions. @throws RegistryError `invalid_request` */
export async function deleteTeam(
  context: CallContext<"org_delete_team">,
  organization: AccountRow,
  name: string,
): Promise<void> {
  const { db, log } = context;
  const team = await findTeam(db, organization.id, name);
  if (team === undefined) throw invalidRequest(`Team '${name}' is not a team in org '${organization.username}'`);
  await checkAdminsStay(context, { organization, team }, "delete");
  await removeTeam(db, team.id);
  await log("org_delete_team", { team: name });
}

async function checkAdminsStay(
  { db, principal }: CallContext,
  { organization, team }: { readonly organization: AccountRow; readonly team: TeamRow },
  change: "demote" | "delete",
): Promise<void> {
  const caller = accountOf(principal);
  const verdict = await judgeLossNow(db, organization.id, { loss: { teamId: team.id }, callerId: caller?.id });
  if (verdict === "enough") return;
  if (change === "demote") throw invalidRequest(`Cannot remove admin from team ${team.name}`);
  const whom = verdict === "no-admin" ? "every user" : `user '${caller?.username}'`;
  throw invalidRequest(
    `Deleting team '${team.name}' would remove admin ability for ${whom} in organization '${organization.username}'`,
  );
}
