import type { RegistryDb } from "../../store/tables/all.ts";
import { maxFailures } from "./notifications.ts";

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
