import type { RegistryDb } from "../../../store/tables/all.ts";

/** An account and the network of a client. */
export interface SignInNetwork {
  readonly accountId: string;
  readonly network: string;
}

/** When the account last signed in from the network, in epoch milliseconds. */
export async function findSignInFrom(
  db: RegistryDb,
  { accountId, network }: SignInNetwork,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("sign_in_network")
    .select("seen_at")
    .where("account_id", "=", accountId)
    .where("network", "=", network)
    .executeTakeFirst();
  return row?.seen_at;
}

/** Whether an account has signed in from the network after a time, in epoch milliseconds. */
export async function hasSignInSince(db: RegistryDb, network: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom("sign_in_network")
    .select("account_id")
    .where("network", "=", network)
    .where("seen_at", ">", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores when an account signed in from a network. */
export async function putSignInNetwork(
  db: RegistryDb,
  { accountId, network }: SignInNetwork,
  seenAt: number,
): Promise<void> {
  await db
    .insertInto("sign_in_network")
    .values({ account_id: accountId, network, seen_at: seenAt })
    .onConflict((conflict) => conflict.columns(["account_id", "network"]).doUpdateSet({ seen_at: seenAt }))
    .execute();
}

/** Deletes the networks of an account except the newest `kept`. */
export async function deleteOlderSignInNetworks(db: RegistryDb, accountId: string, kept: number): Promise<void> {
  const ofAccount = db.selectFrom("sign_in_network").where("account_id", "=", accountId);
  const newest = ofAccount.select("network").orderBy("seen_at", "desc").orderBy("network", "desc").limit(kept);
  await db
    .deleteFrom("sign_in_network")
    .where("account_id", "=", accountId)
    .where("network", "not in", newest)
    .execute();
}

/** Deletes the networks of an account. */
export async function deleteSignInNetworks(db: RegistryDb, accountId: string): Promise<void> {
  await db.deleteFrom("sign_in_network").where("account_id", "=", accountId).execute();
}
