import type { AccountRow } from "@plimsoll/registry/access/queries";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { type Static, Type } from "typebox";
import { type QuotaSummary, quotaMembers } from "../organizations/quotas/views.ts";

/** An organization as superusers see it. */
export const InstallOrganization = Type.Object({
  name: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  avatar: Avatar,
  invoice_email: Type.Boolean(),
  invoice_email_address: Type.Union([Type.String(), Type.Null()]),
  tag_expiration_s: Type.Integer(),
  ...quotaMembers,
});
export type InstallOrganization = Static<typeof InstallOrganization>;

/** An organization as superusers see it. @param quota its quota and usage */
export function installOrganizationView(organization: AccountRow, quota: QuotaSummary): InstallOrganization {
  const { username: name, email, invoice_email, invoice_email_address, tag_expiration_s } = organization;
  return {
    name,
    email,
    avatar: avatarOf("org", name, email),
    invoice_email: invoice_email === 1,
    invoice_email_address,
    tag_expiration_s,
    ...quota,
  };
}
