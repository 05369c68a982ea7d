import { notFound } from "../errors.ts";
import { type AccountRow, findAccount } from "../store/accounts.ts";
import type { Access } from "./access.ts";
import { type SuperuserSubject, superusers } from "./on-account.ts";

/** A user or an organization that a superuser arranges something for. */
export interface NamespaceSubject extends SuperuserSubject {
  readonly namespace: AccountRow;
}

/** Superusers, about the user or organization of the path's `namespace`. */
export const onNamespace: Access<NamespaceSubject> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    const namespace = await findAccount(request.db, request.params.namespace ?? "", "user", "organization");
    if (namespace === undefined) throw notFound();
    return { ...subject, namespace };
  },
};

/** A user whom a superuser looks after. */
export interface InstallUserSubject extends SuperuserSubject {
  readonly user: AccountRow;
}

/** Superusers, about the user of the path's `username`. */
export const onInstallUser: Access<InstallUserSubject> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    const user = await findAccount(request.db, request.params.username ?? "", "user");
    if (user === undefined) throw notFound();
    return { ...subject, user };
  },
};

/** An organization that a superuser looks after. */
export interface OrganizationAsSuperuser extends SuperuserSubject {
  readonly organization: AccountRow;
}

/** Superusers, about the organization of the path's `orgname` (`name` where it is called so). */
export const onOrganizationAsSuperuser: Access<OrganizationAsSuperuser> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    const organization = await findAccount(
      request.db,
      request.params.orgname ?? request.params.name ?? "",
      "organization",
    );
    if (organization === undefined) throw notFound();
    return { ...subject, organization };
  },
};
