import { notFound } from "../errors.ts";
import { type AccountRow, findAccount } from "../store/accounts.ts";
import type { Access } from "./access.ts";
import { type SuperuserSubject, superusers } from "./on-account.ts";

/** Superusers, about the organization of the path's `orgname`. */
export const onOrganizationAsSuperuser: Access<SuperuserSubject & { readonly organization: AccountRow }> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    const organization = await findAccount(request.db, request.params.orgname ?? "", "organization");
    if (organization === undefined) throw notFound();
    return { ...subject, organization };
  },
};
