import { sql } from "kysely";
import type { NewRow, RegistryDb, Row } from "../../store/tables/all.ts";
import { maxFailures } from "./notifications.ts";

/** How many deliveries of a notification are kept. */
const keptDeliveries = 100;

/** A delivery as it is stored. */
export type DeliveryRow = Row<"event_delivery">;

/** The notification that a delivery is for, with its namespace. Deleted repositories and disabled namespaces receive nothing. */
export async function findReceiver(db: RegistryDb, notificationId: string) {
  return db
    .selectFrom("event_notification")
    .leftJoin("image_repository", "image_repository.id", "event_notification.repository_id")
    .leftJoin("account", "account.id", "event_notification.namespace_id")
    .selectAll("event_notification")
    .select(sql<string>`coalesce(event_notification.namespace_id, image_repository.namespace_id)`.as("ownerId"))
    .where("event_notification.id", "=", notificationId)
    .where(({ or, eb }) => or([eb("image_repository.state", "!=", "deleted"), eb("account.enabled", "=", 1)]))
    .executeTakeFirst();
}

/** How many users are sent e-mail about a namespace at most. */
const maxContacts = 10;

/** The confirmed e-mail addresses of those who are told about a namespace: the user, or administrators of the organization. */
export async function listContacts(db: RegistryDb, namespaceId: string): Promise<readonly string[]> {
  const admins = db
    .selectFrom("team")
    .innerJoin("team_member", "team_member.team_id", "team.id")
    .select("team_member.account_id")
    .where("team.organization_id", "=", namespaceId)
    .where("team.role", "=", "admin");
  const rows = await db
    .selectFrom("account")
    .select("email")
    .where("kind", "=", "user")
    .where("enabled", "=", 1)
    .where("verified", "=", 1)
    .where("email", "is not", null)
    .where(({ or, eb }) => or([eb("id", "=", namespaceId), eb("id", "in", admins)]))
    .orderBy("username")
    .limit(maxContacts)
    .execute();
  return rows.flatMap(({ email }) => email ?? []);
}

/** Stores the result of a delivery, in one row for all of its attempts, and deletes the oldest rows. */
export async function recordDelivery(db: RegistryDb, row: NewRow<"event_delivery">): Promise<void> {
  const { state, attempts, detail, changed_at, notification_id } = row;
  await db
    .insertInto("event_delivery")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ state, attempts, detail, changed_at }))
    .execute();
  await sql`delete from event_delivery where notification_id = ${notification_id} and (began_at, id) < (
      select began_at, id from event_delivery where notification_id = ${notification_id}
      order by began_at desc, id desc limit 1 offset ${sql.lit(keptDeliveries - 1)})`.execute(db);
}

/** The last deliveries of a notification, the latest first. */
export async function listDeliveries(db: RegistryDb, notificationId: string): Promise<readonly DeliveryRow[]> {
  return db
    .selectFrom("event_delivery")
    .selectAll()
    .where("notification_id", "=", notificationId)
    .orderBy("began_at", "desc")
    .orderBy("id", "desc")
    .limit(keptDeliveries)
    .execute();
}

/** Counts one more failure of a notification. @returns how many there are in a row */
export async function countFailure(db: RegistryDb, id: string): Promise<number> {
  const row = await db
    .updateTable("event_notification")
    .set(({ eb }) => ({ failures: eb("failures", "+", 1) }))
    .where("id", "=", id)
    .returning("failures")
    .executeTakeFirst();
  return Number(row?.failures ?? 0);
}

/** A user, an organization with its administrators, or a team. */
export interface NoticeTarget {
  readonly kind: "user" | "org" | "team";
  readonly name: string;
}

/** The users who see a notice, without duplicates. */
export async function listNoticeReaders(
  db: RegistryDb,
  organizationId: string,
  { kind, name }: NoticeTarget,
): Promise<readonly string[]> {
  if (kind === "user") {
    const users = db.selectFrom("account").select("id").where("username", "=", name).where("kind", "=", "user");
    return (await users.execute()).map(({ id }) => id);
  }
  const members = await db
    .selectFrom("team")
    .innerJoin("team_member", "team_member.team_id", "team.id")
    .innerJoin("account", "account.id", "team_member.account_id")
    .select("account.id")
    .distinct()
    .where("team.organization_id", "=", organizationId)
    .where(kind === "team" ? "team.name" : "team.role", "=", kind === "team" ? name : "admin")
    .where("account.kind", "=", "user")
    .execute();
  return members.map(({ id }) => id);
}

/** Stores notices. */
export async function insertUserNotices(db: RegistryDb, rows: readonly NewRow<"user_notification">[]): Promise<void> {
  if (rows.length > 0) await db.insertInto("user_notification").values(rows).execute();
}

/** A notification of tags that expire soon, with its repository. */
export interface ExpirationReceiver {
  readonly id: string;
  readonly event_config: string;
  readonly repository_id: string;
  readonly name: string;
  readonly namespace: string;
}

/** A page of the notifications of tags that expire soon, ordered by id, without those that failures have disabled. */
export async function listExpirationReceivers(
  db: RegistryDb,
  after: string,
  limit: number,
): Promise<readonly ExpirationReceiver[]> {
  return db
    .selectFrom("event_notification")
    .innerJoin("image_repository", "image_repository.id", "event_notification.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["event_notification.id", "event_notification.event_config"])
    .select(["image_repository.id as repository_id", "image_repository.name", "account.username as namespace"])
    .where("event_notification.event", "=", "repo_image_expiry")
    .where("event_notification.id", ">", after)
    .where("event_notification.failures", "<", maxFailures)
    .where("image_repository.state", "!=", "deleted")
    .orderBy("event_notification.id")
    .limit(limit)
    .execute();
}

/** A tag that expires soon. */
export interface ExpiringTag {
  readonly id: string;
  readonly name: string;
  readonly end_at: number;
}

/** A page of the tags of a repository that expire in a period and whose current expiration was not notified yet, the earliest first. */
export async function listUnnotifiedTags(
  db: RegistryDb,
  { id, repository_id }: Pick<ExpirationReceiver, "id" | "repository_id">,
  { from, until, limit }: { readonly from: number; readonly until: number; readonly limit: number },
): Promise<readonly ExpiringTag[]> {
  const rows = await db
    .selectFrom("tag")
    .leftJoin("told_expiration", (join) =>
      join.onRef("told_expiration.tag_id", "=", "tag.id").on("told_expiration.notification_id", "=", id),
    )
    .select(["tag.id", "tag.name", "tag.end_at"])
    .where("tag.repository_id", "=", repository_id)
    .where("tag.end_at", ">", from)
    .where("tag.end_at", "<=", until)
    .where(({ or, eb, ref }) =>
      or([eb("told_expiration.end_at", "is", null), eb("told_expiration.end_at", "!=", ref("tag.end_at"))]),
    )
    .orderBy("tag.end_at")
    .limit(limit)
    .execute();
  return rows.map(({ end_at, ...tag }) => ({ ...tag, end_at: Number(end_at) }));
}

/** Records that the expirations of tags were notified. */
export async function putNotified(db: RegistryDb, notificationId: string, tags: readonly ExpiringTag[]): Promise<void> {
  const rows = tags.map(({ id, end_at }) => ({ tag_id: id, notification_id: notificationId, end_at }));
  await db
    .insertInto("told_expiration")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["tag_id", "notification_id"]).doUpdateSet(({ ref }) => ({ end_at: ref("excluded.end_at") })),
    )
    .execute();
}
