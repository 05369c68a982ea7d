import { notFound } from "../errors.ts";
import type { Access, AccessRequest } from "./access.ts";
import type { OfOrganization } from "./on-organization.ts";
import { accountOf, heldScopes } from "./principal.ts";
import { type AccountRow, findAccount, findTeamRoles } from "./queries.ts";
import { includesTeamRole, organizationRole } from "./roles.ts";

/** How much of an organization a caller sees. */
export interface OrganizationViewer {
  readonly isAdmin: boolean;
  readonly isMember: boolean;
  /** The account whose own teams are marked. */
  readonly accountId?: string;
}

/** An organization and how much of it the caller sees. */
export interface SeenOrganization {
  readonly organization: AccountRow;
  readonly viewer: OrganizationViewer;
}

/** Every caller. How much of the organization of the path's `orgname` they see depends on their role in it. */
export const seeOrganization: Access<SeenOrganization, OfOrganization> = {
  who: "every caller; members see more, admins of the organization see everything",
  admits: ["visitors"],
  anonymous: "where-allowed",
  async admit(request) {
    const organization = await findAccount(request.db, request.params.orgname, "organization");
    if (organization === undefined) throw notFound(`There is no organization ${request.params.orgname}`);
    return { organization, viewer: await viewerOf(request, organization.id) };
  },
};

/** How much of an organization a caller sees. */
export async function viewerOf(
  { db, principal, globalRole }: Pick<AccessRequest, "db" | "principal" | "globalRole">,
  organizationId: string,
): Promise<OrganizationViewer> {
  const account = accountOf(principal);
  const roles = account === undefined ? [] : await findTeamRoles(db, organizationId, account.id);
  const role = organizationRole(roles, heldScopes(principal));
  const seesAll = globalRole.hasFullAccess || globalRole.isReadonlySuperuser;
  return {
    isAdmin: seesAll || role === "admin",
    isMember: seesAll || includesTeamRole(role, "member"),
    accountId: account?.id,
  };
}
