import { sql } from "kysely";
import type { AccountRow } from "../../../access/queries.ts";
import { afterPrefix } from "../../../store/expressions.ts";
import type { RegistryDb, Row } from "../../../store/tables/all.ts";

/** The key under which failures are counted. */
export type LoginMark = string;

/** Until when the failures of a mark count; undefined if there are none. */
export async function findSpentUntil(db: RegistryDb, mark: LoginMark): Promise<number | undefined> {
  const row = await db.selectFrom("failed_sign_in").select("spent_until").where("mark", "=", mark).executeTakeFirst();
  return row?.spent_until;
}

/** Counts a failure, in one statement, so that simultaneous failures all count. */
export async function addFailure(
  db: RegistryDb,
  mark: LoginMark,
  { costMs, now }: { readonly costMs: number; readonly now: number },
): Promise<void> {
  await db
    .insertInto("failed_sign_in")
    .values({ mark, spent_until: now + costMs, forgiven_at: 0 })
    .onConflict((conflict) =>
      conflict.column("mark").doUpdateSet({
        spent_until: sql`case when failed_sign_in.spent_until < ${now} then ${now} else failed_sign_in.spent_until end + ${costMs}`,
      }),
    )
    .execute();
}

/** The failures of some marks, those that begin with a prefix, and the time now. */
interface ForgivenFailures {
  readonly prefix: string;
  readonly now: number;
  /** Failures are not forgiven again before so many milliseconds have passed. */
  readonly everyMs: number;
}

/** Ends the count of failures. It only reads if there is nothing to end. */
export async function forgiveFailures(db: RegistryDb, { prefix, now, everyMs }: ForgivenFailures): Promise<void> {
  const due = await db
    .selectFrom("failed_sign_in")
    .select("mark")
    .where("mark", ">=", prefix)
    .where("mark", "<", afterPrefix(prefix))
    .where("spent_until", ">", now)
    .where("forgiven_at", "<=", now - everyMs)
    .limit(100) // an account has a mark for each of its logins
    .execute();
  if (due.length === 0) return;
  await db
    .updateTable("failed_sign_in")
    .set({ spent_until: now, forgiven_at: now })
    .where(
      "mark",
      "in",
      due.map(({ mark }) => mark),
    )
    .where("forgiven_at", "<=", now - everyMs)
    .execute();
}

/** How long it is known that failures were forgiven, at least as long as that matters. */
const rememberedMs = 86_400_000;

/** Deletes the failures that no longer count. */
export async function deleteOldFailures(db: RegistryDb, now: number): Promise<void> {
  await db
    .deleteFrom("failed_sign_in")
    .where("spent_until", "<=", now - rememberedMs)
    .execute();
}

/** Deletes the failures of every mark with a prefix. */
export async function deleteFailuresWithPrefix(db: RegistryDb, prefix: string): Promise<void> {
  await db.deleteFrom("failed_sign_in").where("mark", ">=", prefix).where("mark", "<", afterPrefix(prefix)).execute();
}

/** An account and the network of a client. */
interface SignInNetwork {
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

/** The account of the user of a directory who has signed in with the login. */
export async function findAccountOfDirectoryLogin(db: RegistryDb, login: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom("directory_login")
    .innerJoin("account", "account.id", "directory_login.account_id")
    .selectAll("account")
    .where("directory_login.login", "=", login)
    .where("account.kind", "=", "user")
    .executeTakeFirst();
}

/** Whose login it is, and when that user last signed in with it. */
export async function findDirectoryLogin(db: RegistryDb, login: string): Promise<Row<"directory_login"> | undefined> {
  return db.selectFrom("directory_login").selectAll().where("login", "=", login).executeTakeFirst();
}

/** Stores with which login a user of a directory has signed in, and when, in epoch milliseconds. */
export async function putDirectoryLogin(db: RegistryDb, row: Row<"directory_login">): Promise<void> {
  const { account_id, seen_at } = row;
  await db
    .insertInto("directory_login")
    .values(row)
    .onConflict((conflict) => conflict.column("login").doUpdateSet({ account_id, seen_at }))
    .execute();
}

/** Deletes the directory logins of an account except the newest `kept`. */
export async function deleteOlderDirectoryLogins(db: RegistryDb, accountId: string, kept: number): Promise<void> {
  const ofAccount = db.selectFrom("directory_login").where("account_id", "=", accountId);
  const newest = ofAccount.select("login").orderBy("seen_at", "desc").orderBy("login", "desc").limit(kept);
  await db.deleteFrom("directory_login").where("account_id", "=", accountId).where("login", "not in", newest).execute();
}
