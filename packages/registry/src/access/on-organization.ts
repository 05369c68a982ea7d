import { notFound } from "../errors.ts";
import type { TeamRole } from "../store/tables/accounts.ts";
import { type Access, type AccessRequest, type NoParams, type Params, refusal } from "./access.ts";
import { globalRoleOf } from "./global-role.ts";
import { type Admitted, accountOf, heldScopes, withoutToken } from "./principal.ts";
import { type AccountRow, findAccount, findTeamRoles } from "./queries.ts";
import { includesTeamRole, organizationRole } from "./roles.ts";
import type { Scope } from "./scopes.ts";

/** An organization and the caller's role in it. */
export interface OrganizationSubject {
  readonly organization: AccountRow;
  /** Absent where a superuser is no member. */
  readonly role?: TeamRole;
}

/** Options of an operation on an organization. */
export interface OnOrganizationOptions {
  /** The scope that a token must hold; `org:admin` where absent. Undefined: no scope is needed, and none caps the role. */
  readonly scope?: Scope | undefined;
  /** Whether global read-only superusers pass although the operation writes. */
  readonly auditors?: boolean;
  /** Whether superusers without full access pass. */
  readonly superusers?: boolean;
}

/** The path names an organization. */
export type OfOrganization = { readonly orgname: string };

/** Callers with a role in the organization of the path's `orgname`. */
export function onOrganization(
  wanted: TeamRole,
  options: OnOrganizationOptions = {},
): Access<OrganizationSubject, OfOrganization> {
  const scope = "scope" in options ? options.scope : "org:admin";
  const rule = { who: `${wanted} of the organization`, anonymous: false as const, scope };
  return {
    ...rule,
    admits: [`organization ${wanted}`, "full-access superuser", ...passesBesides(options)],
    admitsReading: ["read-only superuser"],
    async admit(given) {
      const request = scope === undefined ? withoutScopes(given) : given;
      const name = request.params.orgname;
      const organization = await findAccount(request.db, name, "organization");
      const role = organization && (await roleIn(organization, request, scope));
      const mayPass = includesTeamRole(role, wanted) || passesByGlobalRole(request, options);
      if (organization !== undefined && mayPass) return { organization, role };
      const isOwnName = accountOf(request.principal)?.username === name;
      if (mayPass || isOwnName) throw notFound(`Not Found: there is no organization ${name}`);
      throw refusal(request.principal, rule);
    },
  };
}

function passesBesides({ auditors = false, superusers = false }: OnOrganizationOptions): readonly Admitted[] {
  return [...(superusers ? (["superuser"] as const) : []), ...(auditors ? (["read-only superuser"] as const) : [])];
}

async function roleIn(organization: AccountRow, request: AccessRequest<NoParams>, scope: Scope | undefined) {
  const { db, principal } = request;
  const account = accountOf(principal);
  if (account === undefined) return undefined;
  const roles = await findTeamRoles(db, organization.id, account.id);
  return organizationRole(roles, scope === "org:admin" ? heldScopes(principal) : undefined); // another is checked, and caps no role
}

/** The request as if its caller had no token: an operation without a scope needs a permission, but no particular scope. */
export function withoutScopes<Named extends Params>(request: AccessRequest<Named>): AccessRequest<Named> {
  const principal = withoutToken(request.principal);
  return { ...request, principal, globalRole: globalRoleOf(principal, request.settings) };
}

function passesByGlobalRole(
  request: AccessRequest<NoParams>,
  { auditors = false, superusers = false }: OnOrganizationOptions,
): boolean {
  const { globalRole, isRead } = request;
  if (globalRole.hasFullAccess || (superusers && globalRole.isSuperuser)) return true;
  return globalRole.isReadonlySuperuser && (isRead || auditors);
}
