import { sql } from "kysely";
import type { NewRow, RegistryDb, Row } from "../../store/tables/all.ts";

/** How many deliveries of a notification are kept. */
export const keptDeliveries = 100;

/** A delivery as it is stored. */
export type DeliveryRow = Row<"repository_delivery">;

/** The notification that a delivery is for, with its repository. */
export async function findReceiver(db: RegistryDb, notificationId: string) {
  return db
    .selectFrom("repository_notification")
    .innerJoin("image_repository", "image_repository.id", "repository_notification.repository_id")
    .selectAll("repository_notification")
    .select("image_repository.namespace_id")
    .where("repository_notification.id", "=", notificationId)
    .where("image_repository.state", "!=", "deleted")
    .executeTakeFirst();
}

/** Stores the result of a delivery, in one row for all of its attempts, and deletes the oldest rows. */
export async function recordDelivery(db: RegistryDb, row: NewRow<"repository_delivery">): Promise<void> {
  const { state, attempts, detail, changed_at, notification_id } = row;
  await db
    .insertInto("repository_delivery")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ state, attempts, detail, changed_at }))
    .execute();
  await sql`delete from repository_delivery where notification_id = ${notification_id} and (began_at, id) < (
      select began_at, id from repository_delivery where notification_id = ${notification_id}
      order by began_at desc, id desc limit 1 offset ${sql.lit(keptDeliveries - 1)})`.execute(db);
}

/** The last deliveries of a notification, the latest first. */
export async function listDeliveries(db: RegistryDb, notificationId: string): Promise<readonly DeliveryRow[]> {
  return db
    .selectFrom("repository_delivery")
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
    .updateTable("repository_notification")
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
