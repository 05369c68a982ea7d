import { notFound } from "../errors.ts";
import { type Access, type AccessRequest, refusal } from "./access.ts";
import { type OnOrganizationOptions, onOrganization, withoutScopes } from "./on-organization.ts";
import { accountOf } from "./principal.ts";
import { type AccountRow, findAccount, findTeam, isTeamMember, type TeamRow } from "./queries.ts";

/** A team, and what the caller may do with it. */
export interface TeamSubject {
  readonly organization: AccountRow;
  readonly team: TeamRow;
  /** Whether the caller may change who is in it. */
  readonly mayEdit: boolean;
}

/** The path names a team of an organization. */
type OfTeam = { readonly orgname: string; readonly teamname: string };

/** Admins of the organization of the path's `orgname`, about its team `teamname`. */
export function onTeam(options: OnOrganizationOptions = {}): Access<TeamSubject, OfTeam> {
  const admins = onOrganization("admin", options);
  return { ...admins, admit: (request) => admitTo(request, admins) };
}

/** Callers who may see the members of a team: its admins and its members. */
export const seeTeam: Access<TeamSubject, OfTeam> = {
  who: "member of the team or admin of the organization",
  anonymous: false,
  scope: "org:admin",
  admits: ["organization admin", "team member", "full-access superuser"],
  admitsReading: ["read-only superuser"],
  async admit(request) {
    const isOwn = await isInTeam(request);
    return admitTo(request, onOrganization(isOwn ? "member" : "admin")); // members of a team are the organization's
  },
};

/**
 * Callers who may synchronize a team with a group of the directory: admins of the organization who are superusers, or every
 * admin of it where the feature `memberTeamSync` is on.
 */
export const onTeamSync: Access<TeamSubject, OfTeam> = {
  who: "admin of the organization and superuser",
  anonymous: false,
  admits: ["organization sync admin", "full-access superuser"],
  async admit(given) {
    const request = withoutScopes(given);
    const subject = await onTeam({ scope: undefined }).admit(request);
    if (!maySyncTeams(request)) throw refusal(request.principal, onTeamSync);
    return subject;
  },
};

/** Whether admins of organizations may synchronize their teams with a directory. */
export function maySyncTeams({ globalRole, settings }: Pick<AccessRequest, "globalRole" | "settings">): boolean {
  return globalRole.isSuperuser || settings.features.memberTeamSync;
}

async function admitTo(
  request: AccessRequest<OfTeam>,
  access: ReturnType<typeof onOrganization>,
): Promise<TeamSubject> {
  const { organization, role } = await access.admit(request);
  const team = await findTeam(request.db, organization.id, request.params.teamname);
  if (team === undefined)
    throw notFound(`The organization ${organization.username} has no team ${request.params.teamname}`);
  return { organization, team, mayEdit: role === "admin" || request.globalRole.hasFullAccess };
}

async function isInTeam({ db, params, principal }: AccessRequest<OfTeam>): Promise<boolean> {
  const account = accountOf(principal);
  const organization = await findAccount(db, params.orgname, "organization");
  const team = organization && (await findTeam(db, organization.id, params.teamname));
  return account !== undefined && team !== undefined && isTeamMember(db, team.id, account.id);
}
