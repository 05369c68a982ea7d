import { sql } from "kysely";
import type { AccountRow } from "../access/queries/accounts.ts";
import { checkNameIsFree, nameTaken } from "../accounts/new-account.ts";
import type { OperationContext } from "../context.ts";
import { unlessTaken } from "../store/conflicts.ts";
import { checkNamespaceName } from "../values/names.ts";

/** Gives an organization another name, and its robots theirs. @throws RegistryError `invalid_request` for one that is taken */
export async function renameOrganization(
  { db, log }: Pick<OperationContext, "db" | "log">,
  organization: AccountRow,
  { name, superuser }: { readonly name: string; readonly superuser: AccountRow },
): Promise<AccountRow> {
  checkNamespaceName(name);
  await checkNameIsFree(db, name, "organization");
  const renamed = db.updateTable("account").set({ username: name }).where("id", "=", organization.id);
  await unlessTaken(renamed.execute(), () => nameTaken(name, "organization"));
  await sql`update account
    set username = ${name} || '+' || (select short_name from robot where robot.account_id = account.id)
    where id in (select account_id from robot where owner_id = ${organization.id})`.execute(db);
  await log("org_change_name", {
    old_name: organization.username,
    new_name: name,
    superuser: superuser.username,
  });
  return { ...organization, username: name };
}
