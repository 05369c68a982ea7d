import { notInList } from "../errors.ts";
import type { Access } from "./access.ts";
import { type OfOrganization, type OrganizationSubject, onOrganization } from "./on-organization.ts";
import { findOAuthApplication, type OAuthApplication } from "./queries.ts";

/** An application of an organization that the caller administers. */
export interface ApplicationSubject extends OrganizationSubject {
  readonly application: OAuthApplication;
}

const organizationAdmins = onOrganization("admin");

/** Admins of the organization of the path's `orgname`, about its application of the path's `client_id`. */
export const onApplication: Access<ApplicationSubject, OfOrganization & { readonly client_id: string }> = {
  ...organizationAdmins,
  async admit(request) {
    const subject = await organizationAdmins.admit(request);
    const application = await findOAuthApplication(request.db, request.params.client_id);
    if (application?.organization_id !== subject.organization.id)
      throw notInList("The organization has no application with that client id");
    return { ...subject, application };
  },
};
