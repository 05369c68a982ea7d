import {
  type AccountRow,
  findAccountById,
  findOAuthApplication,
  findTeamRoles,
  type OAuthApplication,
} from "../../access/queries.ts";
import { organizationRole } from "../../access/roles.ts";
import { parseScopes, type Scope } from "../../access/scopes.ts";
import { invalidRequest, notFound, RegistryError } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { findAssignment, type OAuthAssignment } from "./queries.ts";

/** A checked request of an application for a user's grant. */
export interface GrantRequest {
  readonly application: OAuthApplication;
  readonly organization: AccountRow;
  readonly scopes: ReadonlySet<Scope>;
  readonly redirectUri: string;
  readonly responseType: string;
  readonly state?: string;
  /** Of PKCE, with the method that makes it from the verifier. */
  readonly challenge?: { readonly value: string; readonly method: string };
  /** The request of another user to this one to grant the token. */
  readonly assignment?: OAuthAssignment;
}

/** The fields of a query or of a form. */
export type GrantFields = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the request of an application. Only admins of its organization, and users to whom one of them sent the request,
 * may grant it.
 * @throws RegistryError `invalid_request`, `not_found` for an unknown application or scope, `insufficient_scope`
 */
export async function readGrantRequest(
  db: RegistryDb,
  account: AccountRow,
  fields: GrantFields,
): Promise<GrantRequest> {
  const { client_id, redirect_uri, scope, response_type: responseType = "code", state, assignment_uuid } = fields;
  for (const [name, value] of Object.entries({ client_id, redirect_uri, scope })) {
    if (!value) throw invalidRequest(`Required param: ${name}`);
  }
  if (assignment_uuid && responseType !== "token")
    throw invalidRequest("Only a token can be assigned: expected response_type=token");
  const application = await findOAuthApplication(db, client_id ?? "");
  const organization = application && (await findAccountById(db, application.organization_id));
  if (application === undefined || organization === undefined) throw notFound("There is no such application");
  const assignment = assignment_uuid && (await findAssignment(db, { id: assignment_uuid, accountId: account.id }));
  const mayGrant = assignment ? isOf(assignment, fields) : await isAdministeredBy(db, organization, account);
  if (!mayGrant) throw notAdmin(organization);
  const scopes = parseScopes(scope ?? "");
  if (scopes === undefined) throw notFound("There is no such scope");
  return {
    application,
    organization,
    scopes,
    redirectUri: redirect_uri ?? "",
    responseType,
    state: state || undefined,
    ...challengeOf(fields),
    assignment: assignment || undefined,
  };
}

function isOf(assignment: OAuthAssignment, { client_id, redirect_uri, scope }: GrantFields): boolean {
  const isSame = assignment.client_id === client_id && assignment.redirect_uri === redirect_uri;
  return isSame && assignment.scope === [...(parseScopes(scope ?? "") ?? [])].join(" ");
}

async function isAdministeredBy(db: RegistryDb, organization: AccountRow, account: AccountRow): Promise<boolean> {
  if (organization.id === account.id) return true;
  return organizationRole(await findTeamRoles(db, organization.id, account.id), undefined) === "admin";
}

function notAdmin({ username }: AccountRow): RegistryError {
  const message = `Only admins of ${username}, and users whom they have asked, can grant this application a token`;
  return new RegistryError("insufficient_scope", message);
}

/** RFC 7636 §4.3: the default method is `plain`. */
function challengeOf({ code_challenge, code_challenge_method: method = "plain" }: GrantFields) {
  return code_challenge ? { challenge: { value: code_challenge, method } } : {};
}
