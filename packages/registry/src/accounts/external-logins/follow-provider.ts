import { anonymous } from "../../access/principal.ts";
import { type AccountRow, updateAccount } from "../../access/queries.ts";
import { deleteEmailCodes } from "../../mail/queries/email-codes.ts";
import type { OutsideProfile } from "../../ports/identities.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import { isEmailAddress } from "../../values/names.ts";
import { putEmail } from "../account-settings.ts";
import { freeEmail } from "./directory-account.ts";

/** What a service says about a user now. */
export interface SeenProfile {
  /** The service name of the directory or the identity provider. */
  readonly service: string;
  readonly profile: OutsideProfile;
  readonly now: number;
}

/** Longer names are not taken. */
const longestName = 255;

/**
 * Gives an account the e-mail address and the names that its directory or identity provider has for the user. What the service does not
 * say stays. If another account has the address, the account has none until the other one gives it up: the old one may belong to
 * another person by then. It takes no statement if nothing has changed.
 * @returns the account after the change
 */
export async function followProvider(db: RegistryDb, account: AccountRow, seen: SeenProfile): Promise<AccountRow> {
  return followNames(db, await followEmail(db, account, seen), seen);
}

async function followEmail(
  db: RegistryDb,
  account: AccountRow,
  { service, profile, now }: SeenProfile,
): Promise<AccountRow> {
  const { id, username, email: old_email } = account;
  const { email: wanted } = profile;
  if (wanted === undefined || wanted === old_email || !isEmailAddress(wanted)) return account;
  const isOwn = wanted.toLowerCase() === old_email?.toLowerCase();
  const email = isOwn ? wanted : ((await freeEmail(db, wanted)) ?? null);
  if (email === old_email) return account;
  if (email === null) {
    await updateAccount(db, id, { email });
    await deleteEmailCodes(db, id, ["recover", "change_email"]);
  } else {
    await putEmail(db, account, { email, verified: true });
  }
  const metadata = { username, email, old_email, service };
  await writeUsageLog(db, { kind: "user_change_email", metadata, namespaceId: id, principal: anonymous, at: now });
  return { ...account, email, verified: email === null ? account.verified : 1 };
}

async function followNames(
  db: RegistryDb,
  account: AccountRow,
  { service, profile: { givenName, familyName }, now }: SeenProfile,
): Promise<AccountRow> {
  const before = JSON.parse(account.profile) as Readonly<Record<string, unknown>>;
  const said = Object.entries({ given_name: givenName, family_name: familyName });
  const changed = said.filter(
    ([member, name]) => name !== undefined && name.length <= longestName && name !== before[member],
  );
  if (changed.length === 0) return account;
  const after = { ...before, ...Object.fromEntries(changed) };
  const profile = JSON.stringify(after);
  await updateAccount(db, account.id, { profile });
  const [metadata, namespaceId] = [{ ...after, service }, account.id];
  await writeUsageLog(db, { kind: "user_change_metadata", metadata, namespaceId, principal: anonymous, at: now });
  return { ...account, profile };
}
