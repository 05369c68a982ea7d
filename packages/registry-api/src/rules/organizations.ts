import { randomUUID } from "node:crypto";
import type { OperationContext } from "../context.ts";
import { invalidRequest, RegistryError } from "../errors.ts";
import type { AccountRow } from "../store/accounts.ts";
import { findUserByEmail } from "../store/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { checkEmailAddress, checkNamespaceName } from "./names.ts";
import { createAccount } from "./new-account.ts";

/** An organization to be. */
export interface NewOrganization {
  readonly name: string;
  readonly email?: string | undefined;
  /** Becomes its first administrator. */
  readonly creator: AccountRow;
}

/**
 * Makes an organization with the team `owners`, and its creator in it. Organizations may share an e-mail address, but not with a
 * user.
 * @throws RegistryError `invalid_request`, `insufficient_scope` where only superusers make organizations
 */
export async function createOrganization(
  { db, settings, standing, now }: OperationContext,
  { name, email, creator }: NewOrganization,
): Promise<AccountRow> {
  if (settings.features.superuserOrganizationCreationOnly && !standing.isSuperuser) {
    throw new RegistryError("insufficient_scope", "Only superusers create organizations");
  }
  checkNamespaceName(name);
  if (email !== undefined) {
    checkEmailAddress(email);
    if ((await findUserByEmail(db, email)) !== undefined) throw invalidRequest("A user has this email address already");
  }
  const organization = await createAccount(db, settings, { kind: "organization", username: name, email, now });
  await addOwners(db, organization, creator);
  return organization;
}

/** Makes the team `owners` of an organization, with its first administrator. */
export async function addOwners(db: RegistryDb, organization: AccountRow, creator: AccountRow): Promise<void> {
  const id = randomUUID();
  const { id: organization_id, created_at } = organization;
  const owners = { id, organization_id, name: "owners", role: "admin", description: "", created_at } as const;
  await db.insertInto("team").values(owners).execute();
  await db.insertInto("team_member").values({ team_id: id, account_id: creator.id }).execute();
}

/** What is to be different about an organization; what is absent stays. */
export interface OrganizationChanges {
  readonly email?: string | null | undefined;
  readonly invoice_email?: boolean | undefined;
  readonly invoice_email_address?: string | null | undefined;
  readonly tag_expiration_s?: number | undefined;
}

/** Changes an organization and tells the usage log what is different. @throws RegistryError `invalid_request` */
export async function changeOrganization(
  context: OperationContext,
  organization: AccountRow,
  changes: OrganizationChanges,
): Promise<AccountRow> {
  const { db, settings, log } = context;
  const { username: namespace, email: old_email } = organization;
  const { email, invoice_email, invoice_email_address: address, tag_expiration_s } = changes;
  if (email) checkEmailAddress(email);
  if (tag_expiration_s !== undefined && !settings.tagExpirationOptionsSeconds.includes(tag_expiration_s)) {
    throw invalidRequest("Invalid tag expiration option");
  }
  const after: AccountRow = {
    ...organization,
    ...(email !== undefined && { email: email || null }),
    ...(invoice_email !== undefined && { invoice_email: invoice_email ? 1 : 0 }),
    ...(address !== undefined && { invoice_email_address: address || null }),
    ...(tag_expiration_s !== undefined && { tag_expiration_s }),
  };
  await db.updateTable("account").set(after).where("id", "=", organization.id).execute();
  const isNew = (member: keyof AccountRow) => after[member] !== organization[member];
  if (isNew("email")) await log("org_change_email", { email: after.email, namespace, old_email });
  if (isNew("invoice_email")) await log("org_change_invoicing", { invoice_email, namespace });
  if (isNew("invoice_email_address")) {
    await log("org_change_invoicing", { invoice_email_address: after.invoice_email_address, namespace });
  }
  if (isNew("tag_expiration_s")) {
    await log("org_change_tag_expiration", { tag_expiration: tag_expiration_s, namespace });
  }
  return after;
}
