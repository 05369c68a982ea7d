import { notFound } from "../errors.ts";
import type { AccountKind } from "../store/tables/accounts.ts";
import type { Access, AccessRequest, NoParams } from "./access.ts";
import { type SuperuserSubject, superusers } from "./on-account.ts";
import type { OfOrganization } from "./on-organization.ts";
import { type AccountRow, findAccount } from "./queries.ts";

/** A user or an organization that a superuser manages. */
export interface NamespaceSubject extends SuperuserSubject {
  readonly namespace: AccountRow;
}

/** Superusers, about the user or organization of the path's `namespace`. */
export const onNamespace: Access<NamespaceSubject, { readonly namespace: string }> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    return { ...subject, namespace: await getAccount(request, request.params.namespace, "user", "organization") };
  },
};

/** The same, where the path calls it `orgname`: users have what organizations have. */
export const onNamespaceAsOrganization: Access<NamespaceSubject, OfOrganization> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    return { ...subject, namespace: await getAccount(request, request.params.orgname, "user", "organization") };
  },
};

/** A user whom a superuser manages. */
export interface InstallUserSubject extends SuperuserSubject {
  readonly user: AccountRow;
}

/** Superusers, about the user of the path's `username`. */
export const onInstallUser: Access<InstallUserSubject, { readonly username: string }> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    return { ...subject, user: await getAccount(request, request.params.username, "user") };
  },
};

/** An organization that a superuser manages. */
export interface OrganizationAsSuperuser extends SuperuserSubject {
  readonly organization: AccountRow;
}

/** Superusers, about the organization of the path's `orgname`. */
export const onOrganizationAsSuperuser: Access<OrganizationAsSuperuser, OfOrganization> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    return { ...subject, organization: await getAccount(request, request.params.orgname, "organization") };
  },
};

/** The same, where the path calls it `name`. */
export const onNamedOrganizationAsSuperuser: Access<OrganizationAsSuperuser, { readonly name: string }> = {
  ...superusers,
  admit: (request) => onOrganizationAsSuperuser.admit({ ...request, params: { orgname: request.params.name } }),
};

async function getAccount(
  { db }: AccessRequest<NoParams>,
  name: string,
  ...kinds: readonly AccountKind[]
): Promise<AccountRow> {
  const account = await findAccount(db, name, ...kinds);
  if (account === undefined) throw notFound(`There is no ${kinds.join(" or ")} ${name}`);
  return account;
}
